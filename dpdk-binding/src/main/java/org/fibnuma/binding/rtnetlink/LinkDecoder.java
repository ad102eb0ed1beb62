package org.fibnuma.binding.rtnetlink;

import org.agrona.DirectBuffer;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.core.kernel.KernelLink;

import static org.fibnuma.binding.rtnetlink.LinkLayout.IFF_LOWER_UP;
import static org.fibnuma.binding.rtnetlink.LinkLayout.IFF_RUNNING;
import static org.fibnuma.binding.rtnetlink.LinkLayout.IFF_UP;

/** Decodes RTM_NEWLINK and RTM_DELLINK. */
final class LinkDecoder
{
    private static final int USABLE = IFF_UP | IFF_RUNNING;

    private final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();
    private int flags;
    private int master;

    /** Decodes one message. Returns null where it is not about a link (such as a bridge's ports) or is malformed. */
    KernelLink decode(final NetlinkMessageFlyweight message)
    {
        if (!message.wrapAttributes(attributes, LinkLayout.LENGTH))
        {
            return null;
        }
        final DirectBuffer buffer = message.buffer();
        final int body = message.payloadOffset();
        if (buffer.getByte(body + LinkLayout.FAMILY_OFFSET) != LinkLayout.AF_UNSPEC)
        {
            return null;
        }
        flags = buffer.getInt(body + LinkLayout.FLAGS_OFFSET);
        master = 0;
        String name = null;
        long macAddress = 0;
        int mtu = 0;
        while (attributes.next())
        {
            switch (attributes.type())
            {
                case LinkLayout.IFLA_IFNAME -> name = attributes.textValue();
                case LinkLayout.IFLA_ADDRESS -> macAddress = attributes.macValue();
                case LinkLayout.IFLA_MTU -> mtu = attributes.intValue(0);
                case LinkLayout.IFLA_MASTER -> master = attributes.intValue(0);
                default ->
                {
                }
            }
        }
        return name == null ? null : new KernelLink(
            buffer.getInt(body + LinkLayout.INDEX_OFFSET), name, macAddress, mtu, (flags & USABLE) == USABLE);
    }

    /**
     * Returns the state of the last link that routes depend on: administrative state, carrier and master device. Equal
     * values mean that no route changed.
     */
    long routingState()
    {
        return (long)(flags & (IFF_UP | IFF_RUNNING | IFF_LOWER_UP)) << Integer.SIZE | master & 0xFFFF_FFFFL;
    }
}
