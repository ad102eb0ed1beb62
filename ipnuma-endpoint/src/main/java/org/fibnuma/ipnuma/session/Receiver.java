package org.fibnuma.ipnuma.session;

import org.fibnuma.ipnuma.session.timing.DeadlineHeap;
import org.fibnuma.ipnuma.session.window.ReceiveWindow;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaFlags;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaKind;

/**
 * Executes the datagrams of the peer, each once and ordered ones in sequence, and acknowledges them. ERRORs about
 * refused writes are sent at most once in an interval.
 */
final class Receiver
{
    private final ReceiveWindow received;
    private final Acknowledger acknowledger;
    private final RefusedWrites refused;
    private final RegionInput regionInput;
    /** Null if no writes pass without datagrams. */
    private final DirectWrites direct;
    private final SessionOutput sending;
    private final SessionCounter.Counts counts;
    private final FibnumaHeaderFlyweight kept = new FibnumaHeaderFlyweight();

    Receiver(
        final ReceiveWindow received,
        final Acknowledger acknowledger,
        final RefusedWrites refused,
        final RegionInput regionInput,
        final DirectWrites direct,
        final SessionOutput sending,
        final SessionCounter.Counts counts)
    {
        this.received = received;
        this.acknowledger = acknowledger;
        this.refused = refused;
        this.regionInput = regionInput;
        this.direct = direct;
        this.sending = sending;
        this.counts = counts;
    }

    /** Begins a connection at the first sequence of the peer's CONFIRM or CONFIRMED. */
    void begin(final FibnumaHeaderFlyweight handshake)
    {
        received.reset(handshake.sequence());
        acknowledger.reset();
        acknowledger.onTimestamp(handshake.timestamp());
    }

    /** Clears the refused writes and the early datagrams of a lost connection. */
    void clear()
    {
        refused.clear();
        received.clear();
    }

    /** Records the timestamp and the congestion mark of any datagram of the connection. */
    void onHeader(final FibnumaHeaderFlyweight header, final boolean ce, final long nowNs)
    {
        acknowledger.onTimestamp(header.timestamp());
        if (ce)
        {
            counts.add(SessionCounter.CE_RECEIVED);
            acknowledger.onCongestion(nowNs);
        }
    }

    void demandAcknowledgement()
    {
        acknowledger.demand();
    }

    void onData(final FibnumaHeaderFlyweight header, final int sourceIpv4, final long nowNs)
    {
        final int sequence = header.sequence();
        if (received.isPast(sequence) || !received.isBeyond(sequence) && received.hasArrived(sequence))
        {
            counts.add(SessionCounter.DUPLICATES);
            acknowledger.demand();
        }
        else if (received.isBeyond(sequence))
        {
            counts.add(SessionCounter.BEYOND_CREDITS);
        }
        else if (sequence == received.next())
        {
            onNext(header, sourceIpv4, nowNs);
        }
        else
        {
            onEarly(header, sequence, sourceIpv4);
        }
    }

    /** Executes the writes that passed without datagrams and were called before the next datagram. */
    void executeDirect()
    {
        if (direct != null)
        {
            direct.beforeDatagram();
        }
    }

    int poll(final DatagramOutput output, final long nowNs)
    {
        int sent = 0;
        if (refused.isErrorDue(nowNs) && sending.error(output, nowNs))
        {
            refused.onErrorSent(nowNs);
            sent++;
        }
        if (acknowledger.isDue(nowNs))
        {
            final boolean isGap = acknowledger.isGap();
            if (sending.control(output, isGap ? FibnumaKind.NAK : FibnumaKind.ACK, nowNs))
            {
                counts.add(isGap ? SessionCounter.NAKS_SENT : SessionCounter.ACKS_SENT);
                sent++;
            }
        }
        return sent;
    }

    /** Returns when {@link #poll} sends something if no datagram arrives before. */
    long dueNs(final long nowNs)
    {
        return DeadlineHeap.earlier(refused.errorDueNs(nowNs), acknowledger.dueNs(nowNs));
    }

    private void onNext(final FibnumaHeaderFlyweight header, final int sourceIpv4, final long nowNs)
    {
        if (!execute(header, sourceIpv4))
        {
            return;
        }
        received.advance();
        acknowledger.onData(nowNs);
        while (received.hasNext())
        {
            acknowledger.demand();
            final boolean isKept = received.isNextKept();
            final boolean isExecuted = !isKept || execute(kept.wrap(received.nextSlot()), sourceIpv4);
            received.releaseNext();
            if (!isExecuted)
            {
                return;
            }
            received.advance();
        }
    }

    private void onEarly(final FibnumaHeaderFlyweight header, final int sequence, final int sourceIpv4)
    {
        counts.add(SessionCounter.OUT_OF_ORDER);
        final int flags = header.flags();
        final boolean isRelaxed =
            (flags & (FibnumaFlags.ORDERED | FibnumaFlags.DOORBELL | FibnumaFlags.REQUESTS)) == 0;
        final boolean isGap;
        if (isRelaxed)
        {
            regionInput.execute(header, sourceIpv4);
            isGap = received.recordExecuted(sequence);
        }
        else if (!received.hasMemory(sequence))
        {
            counts.add(SessionCounter.NO_ROOM);
            return;
        }
        else
        {
            isGap = received.keep(sequence, header.address(), SessionOutput.length(header.tlpBytes()));
        }
        // RFC 5681, section 4.2: a datagram that is out of order or fills a gap is acknowledged at once.
        acknowledger.demand();
        if (isGap)
        {
            acknowledger.onGap();
        }
    }

    private boolean execute(final FibnumaHeaderFlyweight datagram, final int sourceIpv4)
    {
        executeDirect();
        final boolean isExecuted = regionInput.execute(datagram, sourceIpv4);
        if (!isExecuted)
        {
            counts.add(SessionCounter.NO_ROOM);
        }
        return isExecuted;
    }
}
