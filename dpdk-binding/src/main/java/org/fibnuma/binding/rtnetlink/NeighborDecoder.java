package org.fibnuma.binding.rtnetlink;

import org.agrona.DirectBuffer;
import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.wire.IpAddress;

import static org.fibnuma.binding.rtnetlink.NeighborLayout.NUD_FAILED;
import static org.fibnuma.binding.rtnetlink.NeighborLayout.NUD_FOUND;
import static org.fibnuma.binding.rtnetlink.NeighborLayout.NUD_GIVEN;
import static org.fibnuma.binding.rtnetlink.NeighborLayout.NUD_NONE;

/** Decodes RTM_NEWNEIGH and RTM_DELNEIGH. */
final class NeighborDecoder
{
    private final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();
    private int state;

    /**
     * Decodes one message. Returns null if the neighbour is neither an IPv4 host nor an IPv6 host, or the message is
     * malformed. The kernel also lists multicast groups to which it has sent; these are no hosts.
     */
    KernelNeighbor decode(final NetlinkMessageFlyweight message)
    {
        if (!message.wrapAttributes(attributes, NeighborLayout.LENGTH))
        {
            return null;
        }
        final DirectBuffer buffer = message.buffer();
        final int body = message.payloadOffset();
        state = buffer.getShort(body + NeighborLayout.STATE_OFFSET) & 0xFFFF;
        final int family = buffer.getByte(body + NeighborLayout.FAMILY_OFFSET);
        if (!AddressFamily.isIp(family) ||
            (buffer.getByte(body + NeighborLayout.FLAGS_OFFSET) & NeighborLayout.NTF_PROXY) != 0)
        {
            return null;
        }
        IpAddress address = IpAddress.NONE;
        long macAddress = 0;
        while (attributes.next())
        {
            switch (attributes.type())
            {
                case NeighborLayout.NDA_DST -> address = attributes.addressValue();
                case NeighborLayout.NDA_LLADDR -> macAddress = attributes.macValue();
                default ->
                {
                }
            }
        }
        return address.isNone() || address.isIpv4() != (family == SysSocket.AF_INET) ||
            address.isMulticast() ? null :
            new KernelNeighbor(buffer.getInt(body + NeighborLayout.INDEX_OFFSET), address, macAddress, state());
    }

    /**
     * Returns whether the last neighbour has a state other than NUD_NONE. In that state the kernel has no MAC address
     * and does not resolve it.
     */
    boolean isKnown()
    {
        return state != NUD_NONE;
    }

    private KernelNeighbor.State state()
    {
        if ((state & NUD_GIVEN) != 0)
        {
            return KernelNeighbor.State.PERMANENT;
        }
        if ((state & NUD_FOUND) != 0)
        {
            return KernelNeighbor.State.USABLE;
        }
        return (state & NUD_FAILED) != 0 ? KernelNeighbor.State.FAILED : KernelNeighbor.State.RESOLVING;
    }
}
