package org.fibnuma.ipnuma.session.timing;

import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.UdpHeaderFlyweight;
import org.fibnuma.pfc.dcqcn.DcqcnParameters;
import org.fibnuma.pfc.dcqcn.NotificationPoint;
import org.fibnuma.pfc.dcqcn.ReactionPoint;

/** Limits the rate of data with DCQCN's reaction point. */
public final class Pacer
{
    /** What a payload costs on the link besides itself: headers, FCS, preamble and gap (IEEE 802.3). */
    private static final int OVERHEAD = EthernetHeaderFlyweight.LENGTH + Ipv4HeaderFlyweight.MIN_LENGTH +
        UdpHeaderFlyweight.LENGTH + 4 + 8 + 12;
    private static final double BIT_NANOSECONDS = Byte.SIZE * 1e9;
    /** Time not used that may be made up for, so that a caller that comes late does not cost rate. */
    private static final long MAX_ARREARS_NS = 20_000;

    private final ReactionPoint sender;
    private final NotificationPoint echoes;
    private boolean isLimited;
    private long dueNs;

    /**
     * A flow at line rate.
     *
     * @param parameters of DCQCN.
     * @param lineRate   bits a second.
     */
    public Pacer(final DcqcnParameters parameters, final double lineRate)
    {
        sender = new ReactionPoint(parameters, lineRate);
        // A repeated datagram repeats its echo; notifications never come faster than they are sent.
        echoes = new NotificationPoint(parameters);
    }

    /**
     * The peer echoed congestion.
     *
     * @param nowNs monotonic time.
     * @return whether that slowed this sender down.
     */
    public boolean onEcho(final long nowNs)
    {
        final boolean isNew = echoes.onMarked(nowNs);
        if (isNew)
        {
            sender.onNotification(nowNs);
            dueNs = isLimited ? dueNs : nowNs;
            isLimited = true;
        }
        return isNew;
    }

    /**
     * Runs DCQCN's timers.
     *
     * @param nowNs monotonic time.
     */
    public void onTime(final long nowNs)
    {
        if (isLimited && nowNs - sender.deadlineNs() >= 0)
        {
            sender.onTime(nowNs);
        }
    }

    /**
     * Whether a datagram may leave.
     *
     * @param nowNs monotonic time.
     * @return true always before the first congestion.
     */
    public boolean permits(final long nowNs)
    {
        return !isLimited || nowNs - dueNs >= 0;
    }

    /**
     * A datagram left.
     *
     * @param length of the UDP payload in bytes.
     * @param nowNs  monotonic time.
     */
    public void onSent(final int length, final long nowNs)
    {
        if (isLimited)
        {
            final int bytes = length + OVERHEAD;
            sender.onSent(bytes);
            dueNs = Math.max(dueNs, nowNs - MAX_ARREARS_NS) + (long)(bytes * BIT_NANOSECONDS / sender.rate());
        }
    }

    /**
     * How fast data may leave.
     *
     * @return bits a second on the link.
     */
    public double rate()
    {
        return sender.rate();
    }
}
