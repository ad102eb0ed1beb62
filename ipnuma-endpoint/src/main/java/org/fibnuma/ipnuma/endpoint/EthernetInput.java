package org.fibnuma.ipnuma.endpoint;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.ipnuma.fate.DropReason;
import org.fibnuma.ipnuma.fate.EndpointCounter;
import org.fibnuma.ipnuma.fate.EndpointCounters;

/**
 * Dispatches received frames: IPv4 to this port's MAC address to {@link UdpInput}, ARP to this or the broadcast address
 * to {@link ArpInput}. Everything else is dropped. The caller owns the chunks of the frames.
 */
final class EthernetInput
{
    private final long ownMac;
    private final UdpInput udpInput;
    private final ArpInput arpInput;
    private final EndpointCounters counters;
    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();

    EthernetInput(
        final long ownMac, final UdpInput udpInput, final ArpInput arpInput, final EndpointCounters counters)
    {
        this.ownMac = ownMac;
        this.udpInput = udpInput;
        this.arpInput = arpInput;
        this.counters = counters;
    }

    void process(final FrameBatch batch, final long nowNs)
    {
        final int size = batch.size();
        long bytes = 0;
        for (int i = 0; i < size; i++)
        {
            bytes += batch.length(i);
            process(batch.address(i), batch.length(i), nowNs);
        }
        counters.add(EndpointCounter.RECEIVED, size);
        counters.add(EndpointCounter.RECEIVED_BYTES, bytes);
    }

    private void process(final long frame, final int length, final long nowNs)
    {
        if (length < EthernetHeaderFlyweight.LENGTH)
        {
            counters.dropped(DropReason.TOO_SHORT);
            return;
        }
        final long destination = ethernet.wrap(frame).destination();
        final int etherType = ethernet.etherType();
        if (destination == ownMac && etherType == EtherType.IPV4)
        {
            udpInput.process(frame, length, nowNs);
        }
        else if (destination != ownMac && destination != MacAddress.BROADCAST)
        {
            counters.dropped(DropReason.OTHER_HOST);
        }
        else if (etherType == EtherType.ARP)
        {
            arpInput.process(frame, length, nowNs);
        }
        else
        {
            // This includes broadcast IPv4, which no endpoint sends.
            counters.dropped(DropReason.OTHER_PROTOCOL);
        }
    }
}
