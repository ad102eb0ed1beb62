package org.fibnuma.binding.rtnetlink;

import org.agrona.DirectBuffer;
import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.core.kernel.KernelNeighbor;

import static org.fibnuma.binding.rtnetlink.NeighborLayout.NUD_FAILED;
import static org.fibnuma.binding.rtnetlink.NeighborLayout.NUD_FOUND;
import static org.fibnuma.binding.rtnetlink.NeighborLayout.NUD_GIVEN;
import static org.fibnuma.binding.rtnetlink.NeighborLayout.NUD_NONE;

/** Decodes RTM_NEWNEIGH and RTM_DELNEIGH. */
final class NeighborDecoder
{
    private final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();
    private int state;

    /** Decodes one message. Returns null where the neighbour is not an IPv4 host or the message is malformed. */
    KernelNeighbor decode(final NetlinkMessageFlyweight message)
    {
        if (!message.wrapAttributes(attributes, NeighborLayout.LENGTH))
        {
            return null;
        }
        final DirectBuffer buffer = message.buffer();
        final int body = message.payloadOffset();
        state = buffer.getShort(body + NeighborLayout.STATE_OFFSET) & 0xFFFF;
        if (buffer.getByte(body + NeighborLayout.FAMILY_OFFSET) != SysSocket.AF_INET ||
            (buffer.getByte(body + NeighborLayout.FLAGS_OFFSET) & NeighborLayout.NTF_PROXY) != 0)
        {
            return null;
        }
        int address = 0;
        long macAddress = 0;
        while (attributes.next())
        {
            switch (attributes.type())
            {
                case NeighborLayout.NDA_DST -> address = attributes.ipv4Value(0);
                case NeighborLayout.NDA_LLADDR -> macAddress = attributes.macValue();
                default ->
                {
                }
            }
        }
        return address == 0 ? null :
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
