package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.fate.DropReason;

/**
 * Checks the Ethernet header of exceptions, all of which one port received. IPv4 to the MAC address of the port or to a
 * group address stays to be forwarded. Everything else to these addresses is punted: ARP, tagged frames and IPv6. On a
 * port that does not forward, IPv4 is punted too, so that the kernel decides. Frames too short for an Ethernet header
 * and frames to other MAC addresses are dropped.
 */
final class EthernetInput
{
    private final InterfaceTable interfaces;
    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();

    EthernetInput(final InterfaceTable interfaces)
    {
        this.interfaces = interfaces;
    }

    void process(final FrameBatch batch, final FrameList exceptions)
    {
        final RouterInterface ingress = interfaces.get(batch.ingressPort(0));
        final long ourMac = ingress.macWord();
        final boolean forwarding = ingress.policy().forwarding();
        for (int k = 0; k < exceptions.size(); k++)
        {
            final int i = exceptions.get(k);
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
