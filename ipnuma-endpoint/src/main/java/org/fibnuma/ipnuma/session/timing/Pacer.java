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
    /** Bytes on the link in addition to the payload: headers, FCS, preamble and gap (IEEE 802.3). */
    private static final int OVERHEAD = EthernetHeaderFlyweight.LENGTH + Ipv4HeaderFlyweight.MIN_LENGTH +
        UdpHeaderFlyweight.LENGTH + 4 + 8 + 12;
    private static final double BIT_NANOSECONDS = Byte.SIZE * 1e9;
    /** Unused time in ns that later datagrams may use, so that a late caller does not reduce the rate. */
    private static final long MAX_ARREARS_NS = 20_000;

    /**
     * Maximum delay of the timers of DCQCN in ns. They then process the periods that have passed, 2,000 in this time.
     */
    private static final long MAX_DELAY_NS = 100_000_000;

    private final ReactionPoint sender;
    private final NotificationPoint echoes;
    private boolean isLimited;
    private long dueNs;

    /** Creates a flow at line rate, in bits per second. */
    public Pacer(final DcqcnParameters parameters, final double lineRate)
    {
        sender = new ReactionPoint(parameters, lineRate);
        // A repeated datagram repeats its echo. Echoes are therefore accepted at most at the rate of notifications.
        echoes = new NotificationPoint(parameters);
    }

    /** Handles a congestion echo of the peer; returns whether it has reduced the rate. */
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

    /** Runs the timers of DCQCN. */
    public void onTime(final long nowNs)
    {
        if (isLimited && nowNs - sender.deadlineNs() >= 0)
        {
            sender.onTime(nowNs);
        }
    }

    /** Returns when {@link #onTime} must be called at the latest. */
    public long timerDueNs()
    {
        return isLimited ? sender.deadlineNs() + MAX_DELAY_NS : DeadlineHeap.NEVER;
    }

    /** Returns when the next datagram may be sent, now at the earliest. */
    public long nextNs(final long nowNs)
    {
        return permits(nowNs) ? nowNs : dueNs;
    }

    /** Returns whether a datagram may be sent now. Always true before the first congestion. */
    public boolean permits(final long nowNs)
    {
        return !isLimited || nowNs - dueNs >= 0;
    }

    /** Accounts for a sent datagram with a UDP payload of this number of bytes. */
    public void onSent(final int length, final long nowNs)
    {
        if (isLimited)
        {
            final int bytes = length + OVERHEAD;
            sender.onSent(bytes);
            dueNs = Math.max(dueNs, nowNs - MAX_ARREARS_NS) + (long)(bytes * BIT_NANOSECONDS / sender.rate());
        }
    }

    /** Returns the rate on the link in bits per second. */
    public double rate()
    {
        return sender.rate();
    }
}
