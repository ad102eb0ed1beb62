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
 * Checks the Ethernet header of exceptions, all of which one port received, and divides them: IPv6 frames that the
 * router may forward go to a list of their own. The disposition becomes
 * <ul>
 * <li>DROP for frames that are too short for an Ethernet header and for unicast frames to other MAC addresses,</li>
 * <li>PUNT for frames to this port or a group that are neither IPv4 nor IPv6, such as ARP and tagged frames, for IPv6
 * if the router does not forward it, and for frames of a family that the host does not forward from this port,</li>
 * <li>unchanged, FORWARD, for IPv4 and IPv6 to this port or a group.</li>
 * </ul>
 */
final class EthernetInput
{
    private final InterfaceTable interfaces;
    private final boolean forwardsIpv6;
    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();

    EthernetInput(final ForwarderContext context)
    {
        this.interfaces = context.interfaces();
        this.forwardsIpv6 = context.forwardsIpv6();
    }

    /**
     * Checks exceptions.
     *
     * @param batch      frames of one port, at least one.
     * @param exceptions all of them; loses those that {@code ipv6} receives.
     * @param ipv6       empty; receives the IPv6 frames whose disposition is FORWARD.
     */
    void process(final FrameBatch batch, final FrameList exceptions, final FrameList ipv6)
    {
        final RouterInterface ingress = interfaces.get(batch.ingressPort(0));
        final long ourMac = ingress.macWord();
        final boolean takesIpv4 = ingress.policy().ipv4Forwarding();
        final boolean takesIpv6 = forwardsIpv6 && ingress.policy().ipv6Forwarding();
        final int count = exceptions.size();
        exceptions.clear();
        for (int k = 0; k < count; k++)
        {
            final int i = exceptions.get(k);
            final boolean isIpv6 = batch.length(i) >= EthernetHeaderFlyweight.LENGTH ?
                input(batch, i, ourMac, takesIpv4, takesIpv6) : tooShort(batch, i);
            (isIpv6 ? ipv6 : exceptions).add(i);
        }
    }

    private static boolean tooShort(final FrameBatch batch, final int i)
    {
        batch.drop(i, DropReason.ETHERNET_TOO_SHORT.id());
        return false;
    }

    /** Returns whether the frame is IPv6 whose disposition is FORWARD. */
    private boolean input(
        final FrameBatch batch, final int i, final long ourMac, final boolean takesIpv4, final boolean takesIpv6)
    {
        final long frame = batch.address(i);
        final int etherType = ethernet.wrap(frame).etherType();
        final boolean toUs = RouterInterface.macFault(FrameMemory.getLong(frame), ourMac) == 0;
        final boolean isIpv6 = takesIpv6 && etherType == EtherType.IPV6;
        if (!toUs && !ethernet.isToGroup())
        {
            batch.drop(i, DropReason.ETHERNET_OTHER_HOST.id());
            return false;
        }
        if (!isIpv6 && !(takesIpv4 && etherType == EtherType.IPV4))
        {
            batch.disposition(i, Disposition.PUNT);
            return false;
        }
        return isIpv6;
    }
}
