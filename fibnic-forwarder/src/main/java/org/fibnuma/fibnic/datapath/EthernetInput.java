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
 * Checks the Ethernet header of exceptions, all of which one port received. The disposition becomes
 * <ul>
 * <li>DROP for frames that are too short for an Ethernet header and for unicast frames to other MAC addresses,</li>
 * <li>PUNT for frames to this port or a group that are not IPv4, such as ARP, tagged frames and IPv6, and for all
 * frames to these addresses if the port does not forward,</li>
 * <li>unchanged, FORWARD, for IPv4 to this port or a group.</li>
 * </ul>
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
