package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateCounters;

/**
 * Frames as a port received them come in, all of one batch from one port. IPv4 to this station or to a group goes on.
 * Everything else to this station or to a group is punted: ARP, tagged frames and IPv6, which an {@code Ipv6Input}
 * would take here. On a port with forwarding off, IPv4 is punted too, so that the kernel does what it has decided.
 * Dropped are frames too short for an Ethernet header and frames to other stations. Frames without a
 * {@link FrameBatch#fault} have passed all checks in {@link Ipv4FastPath}; the input stages leave them as they are.
 */
final class EthernetInput
{
    private static final long UNCHECKED = 1;

    private final InterfaceTable interfaces;
    private final FateCounters counters;
    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();

    EthernetInput(final InterfaceTable interfaces, final FateCounters counters)
    {
        this.interfaces = interfaces;
        this.counters = counters;
    }

    /** For workers without {@link Ipv4FastPath}: counts the frames as received and marks all of them as unchecked. */
    void receive(final FrameBatch batch)
    {
        final int size = batch.size();
        counters.received(batch.ingressPort(0), size, EgressQueues.bytes(batch, 0, size));
        for (int i = 0; i < size; i++)
        {
            batch.fault(i, UNCHECKED);
        }
    }

    void process(final FrameBatch batch)
    {
        final RouterInterface ingress = interfaces.get(batch.ingressPort(0));
        final long ourMac = ingress.macWord();
        final boolean forwarding = ingress.policy().forwarding();
        final int size = batch.size();
        for (int i = 0; i < size; i++)
        {
            if (batch.fault(i) == 0)
            {
                continue;
            }
            if (batch.length(i) < EthernetHeaderFlyweight.LENGTH)
            {
                batch.drop(i, DropReason.ETHERNET_TOO_SHORT.id());
            }
            else
            {
                input(batch, i, ourMac, forwarding);
            }
        }
    }

    private void input(final FrameBatch batch, final int i, final long ourMac, final boolean forwarding)
    {
        final long frame = batch.address(i);
        final boolean toUs = RouterInterface.macFault(FrameMemory.getLong(frame), ourMac) == 0;
        if (!toUs && !ethernet.wrap(frame).isToGroup())
        {
            batch.drop(i, DropReason.ETHERNET_OTHER_HOST.id());
        }
        else if (!forwarding || ethernet.wrap(frame).etherType() != EtherType.IPV4)
        {
            batch.disposition(i, Disposition.PUNT);
        }
    }
}
