package org.fibnuma.ipnuma.session;

import org.fibnuma.ipnuma.session.window.ReceiveWindow;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaFlags;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;

/** Datagrams of data of the connection: each takes effect once, an ordered one in its turn. */
final class DataInput
{
    private final ReceiveWindow received;
    private final Acknowledger acknowledger;
    private final SessionCounter.Counts counts;
    private final RegionInput regionInput;
    private final FibnumaHeaderFlyweight kept = new FibnumaHeaderFlyweight();

    DataInput(
        final ReceiveWindow received,
        final Acknowledger acknowledger,
        final SessionCounter.Counts counts,
        final RegionInput regionInput)
    {
        this.received = received;
        this.acknowledger = acknowledger;
        this.counts = counts;
        this.regionInput = regionInput;
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

    private void onNext(final FibnumaHeaderFlyweight header, final int sourceIpv4, final long nowNs)
    {
        if (!take(header, sourceIpv4))
        {
            return;
        }
        received.advance();
        acknowledger.onData(nowNs);
        while (received.hasNext())
        {
            acknowledger.demand();
            final boolean isKept = received.isNextKept();
            final boolean isTaken = !isKept || take(kept.wrap(received.nextSlot()), sourceIpv4);
            received.releaseNext();
            if (!isTaken)
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
            regionInput.take(header, sourceIpv4);
            isGap = received.take(sequence);
        }
        else
        {
            isGap = received.keep(sequence, header.address(), SessionOutput.length(header.tlpBytes()));
        }
        // RFC 5681, section 4.2: what comes before its turn, or fills a gap, is acknowledged at once.
        acknowledger.demand();
        if (isGap)
        {
            acknowledger.onGap();
        }
    }

    private boolean take(final FibnumaHeaderFlyweight datagram, final int sourceIpv4)
    {
        final boolean isTaken = regionInput.take(datagram, sourceIpv4);
        if (!isTaken)
        {
            counts.add(SessionCounter.NO_ROOM);
        }
        return isTaken;
    }
}
