package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FrameList;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.VlanTag;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.adjacency.VlanTable;
import org.fibnuma.fibnic.fate.DropReason;

/**
 * Checks the Ethernet header of exceptions, which one interface has received. IPv6 frames that the router may forward
 * go to a list of their own. A priority tag (VID 0) before IP is removed. The disposition becomes
 * <ul>
 * <li>DROP if the frame is too short for an Ethernet header; if it is unicast to another MAC address; on a port with
 * VLANs, if it has VID 4095 or VLAN tags that neither the router nor the kernel has on the port,</li>
 * <li>PUNT for frames to this interface or a group that are neither IPv4 nor IPv6, such as ARP; for other tagged
 * frames; for IPv6 if the router does not forward it; for a family that the host does not forward from this
 * interface,</li>
 * <li>unchanged, FORWARD, for IPv4 and IPv6 to this interface or a group.</li>
 * </ul>
 */
final class EthernetInput
{
    private final InterfaceTable interfaces;
    private final boolean forwardsIpv6;
    private long ingressTags;
    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();

    EthernetInput(final ForwarderContext context)
    {
        this.interfaces = context.interfaces;
        this.forwardsIpv6 = context.forwardsIpv6;
    }

    /**
     * Checks exceptions.
     *
     * @param batch      frames of one port, at least one.
     * @param ingress    interface as which all of them are received.
     * @param exceptions all of them; loses those that {@code ipv6} receives.
     * @param ipv6       empty; receives the IPv6 frames whose disposition is FORWARD.
     */
    void process(
        final FrameBatch batch, final RouterInterface ingress, final FrameList exceptions, final FrameList ipv6)
    {
        final long ourMac = ingress.macWord();
        final boolean takesIpv4 = ingress.policy().ipv4Forwarding();
        final boolean takesIpv6 = forwardsIpv6 && ingress.policy().ipv6Forwarding();
        ingressTags = ingress.tags();
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

    /**
     * Removes a priority tag before IP. On a port with VLANs it drops or punts all other tagged frames.
     *
     * @return whether it has set the disposition of the frame.
     */
    private boolean divertTagged(final FrameBatch batch, final int i)
    {
        final int length = batch.length(i);
        final long tags = VlanTag.read(batch.address(i), length);
        if (VlanInput.isPriorityTagged(batch, i, tags))
        {
            batch.restart(i, VlanTag.remove(batch.address(i), tags), length - VlanTag.length(tags));
            batch.destination(i, Ipv4Lookup.destination(batch, i));
            return false;
        }
        final int port = batch.ingressPort(i);
        final VlanTable vlans = interfaces.vlans();
        if (!vlans.has(port))
        {
            return false;
        }
        final long outermost = VlanTag.outer(tags) == 0 ? tags : VlanTag.outer(tags);
        final int vid = VlanTag.vid(outermost);
        if (vid == VlanTag.RESERVED_VID)
        {
            batch.drop(i, DropReason.VLAN_RESERVED.id());
        }
        else if (vid != 0 && vlans.number(port, tags) == VlanTable.UNKNOWN &&
            vlans.number(port, outermost) == VlanTable.UNKNOWN)
        {
            batch.drop(i, DropReason.VLAN_UNKNOWN.id());
        }
        else
        {
            batch.disposition(i, Disposition.PUNT);
        }
        return true;
    }

    private static boolean tooShort(final FrameBatch batch, final int i)
    {
        batch.drop(i, DropReason.ETHERNET_TOO_SHORT.id());
        return false;
    }

    /** Checks a frame; returns whether it is IPv6 with disposition FORWARD. */
    private boolean input(
        final FrameBatch batch, final int i, final long ourMac, final boolean takesIpv4, final boolean takesIpv6)
    {
        if (ingressTags == 0 && VlanTag.isTag(EthernetHeaderFlyweight.etherType(batch.address(i))) &&
            divertTagged(batch, i))
        {
            return false;
        }
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
