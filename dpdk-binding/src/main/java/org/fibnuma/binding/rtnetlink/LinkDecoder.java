package org.fibnuma.binding.rtnetlink;

import org.agrona.DirectBuffer;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.core.kernel.KernelLink;

import static org.fibnuma.binding.rtnetlink.LinkLayout.IFF_LOWER_UP;
import static org.fibnuma.binding.rtnetlink.LinkLayout.IFF_RUNNING;
import static org.fibnuma.binding.rtnetlink.LinkLayout.IFF_UP;

/** Reads RTM_NEWLINK and RTM_DELLINK. */
final class LinkDecoder
{
    private static final int USABLE = IFF_UP | IFF_RUNNING;

    private final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();
    private int flags;
    private int master;

    /**
     * Reads one message.
     *
     * @param message of type RTM_NEWLINK or RTM_DELLINK.
     * @return the link; null where the message is about something else, such as a bridge's ports, or is damaged.
     */
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
     * What the kernel's routes depend on in the link that was read last: equal values, same routes.
     *
     * @return administrative state, carrier and master device.
     */
    long routingState()
    {
        return (long)(flags & (IFF_UP | IFF_RUNNING | IFF_LOWER_UP)) << Integer.SIZE | master & 0xFFFF_FFFFL;
    }
}
