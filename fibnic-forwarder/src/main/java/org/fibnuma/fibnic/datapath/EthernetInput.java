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
 * would take here. Dropped are frames too short for an Ethernet header and frames to other stations.
 */
final class EthernetInput
{
    private final InterfaceTable interfaces;
    private final FateCounters counters;
    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();

    EthernetInput(final InterfaceTable interfaces, final FateCounters counters)
    {
        this.interfaces = interfaces;
        this.counters = counters;
    }

    void process(final FrameBatch batch)
    {
        final int port = batch.ingressPort(0);
        final long ourMac = interfaces.get(port).macWord();
        final int size = batch.size();
        long bytes = 0;
        for (int i = 0; i < size; i++)
        {
            final int length = batch.length(i);
            bytes += length;
            if (length < EthernetHeaderFlyweight.LENGTH)
            {
                batch.drop(i, DropReason.ETHERNET_TOO_SHORT.id());
            }
            else
            {
                input(batch, i, ourMac);
            }
        }
        counters.received(port, size, bytes);
    }

    private void input(final FrameBatch batch, final int i, final long ourMac)
    {
        final long frame = batch.address(i);
        final boolean toUs = ((FrameMemory.getLong(frame) ^ ourMac) & RouterInterface.MAC_WORD_MASK) == 0;
        if (!toUs && !ethernet.wrap(frame).isToGroup())
        {
            batch.drop(i, DropReason.ETHERNET_OTHER_HOST.id());
        }
        else if (ethernet.wrap(frame).etherType() != EtherType.IPV4)
        {
            batch.disposition(i, Disposition.PUNT);
        }
    }
}
