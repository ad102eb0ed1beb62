package org.fibnuma.binding.rtnetlink;

import org.agrona.DirectBuffer;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.wire.EtherType;

import static org.fibnuma.binding.rtnetlink.LinkLayout.IFF_LOWER_UP;
import static org.fibnuma.binding.rtnetlink.LinkLayout.IFF_RUNNING;
import static org.fibnuma.binding.rtnetlink.LinkLayout.IFF_UP;

/** Decodes RTM_NEWLINK and RTM_DELLINK. */
final class LinkDecoder
{
    private static final int USABLE = IFF_UP | IFF_RUNNING;
    /** Beside the flags of the kernel in a routing state. */
    private static final int IGNORES_LINKDOWN = 1 << 30;

    private final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight info = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight properties = new NetlinkAttributeFlyweight();
    private final DeviceSettings settings = new DeviceSettings();
    private int flags;
    private int master;
    private int vid;
    private int protocol;
    private boolean isVlan;
    private boolean isMacvlan;
    private KernelLink.Macvlan mode;

    /** Decodes one message. Returns null if it is not about a link (such as about a bridge's ports) or is malformed. */
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
        settings.clear();
        isVlan = false;
        mode = KernelLink.Macvlan.NONE;
        int lower = 0;
        boolean isLowerElsewhere = false;
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
                case LinkLayout.IFLA_LINK -> lower = attributes.intValue(0);
                case LinkLayout.IFLA_LINK_NETNSID -> isLowerElsewhere = true;
                case LinkLayout.IFLA_LINKINFO -> decodeInfo();
                case LinkLayout.IFLA_AF_SPEC -> settings.wrap(attributes);
                default ->
                {
                }
            }
        }
        final boolean isUpper = (isVlan || mode != KernelLink.Macvlan.NONE) && lower != 0 && !isLowerElsewhere;
        final KernelLink.Vlan vlan = !isUpper ? null : isVlan ?
            new KernelLink.Vlan(lower, protocol, vid, master != 0) :
            KernelLink.Vlan.macvlan(lower, master != 0, mode);
        return name == null ? null : new KernelLink(
            buffer.getInt(body + LinkLayout.INDEX_OFFSET), name, macAddress, mtu, (flags & USABLE) == USABLE, vlan);
    }

    /** Reads kind and properties. VID 0, which no interface has, replaces an invalid identifier or protocol. */
    private void decodeInfo()
    {
        vid = 0;
        protocol = EtherType.VLAN;
        isMacvlan = false;
        info.wrapNested(attributes);
        while (info.next())
        {
            if (info.type() == LinkLayout.IFLA_INFO_KIND)
            {
                isVlan = LinkLayout.KIND_VLAN.equals(info.textValue());
                isMacvlan = LinkLayout.KIND_MACVLAN.equals(info.textValue());
            }
            else if (info.type() == LinkLayout.IFLA_INFO_DATA && isVlan)
            {
                decodeVlan();
            }
            else if (info.type() == LinkLayout.IFLA_INFO_DATA && isMacvlan)
            {
                decodeMacvlan();
            }
        }
    }

    /** In modes passthru and source an interface receives other frames than those to its MAC address: it is none. */
    private void decodeMacvlan()
    {
        mode = !properties.wrapNested(info).find(LinkLayout.IFLA_MACVLAN_MODE) ? KernelLink.Macvlan.NONE :
            switch (properties.intValue(0))
            {
                case LinkLayout.MACVLAN_MODE_PRIVATE, LinkLayout.MACVLAN_MODE_VEPA -> KernelLink.Macvlan.OUT;
                case LinkLayout.MACVLAN_MODE_BRIDGE -> KernelLink.Macvlan.BRIDGE;
                default -> KernelLink.Macvlan.NONE;
            };
    }

    private void decodeVlan()
    {
        properties.wrapNested(info);
        while (properties.next())
        {
            switch (properties.type())
            {
                case LinkLayout.IFLA_VLAN_ID -> vid = properties.shortValue(0);
                case LinkLayout.IFLA_VLAN_PROTOCOL -> protocol = properties.networkShortValue(0);
                default ->
                {
                }
            }
        }
    }

    /**
     * Returns the properties of the last link on which routes depend: administrative state, carrier, master device, and
     * whether the kernel uses routes without a carrier. If they are equal, no route has changed.
     */
    long routingState()
    {
        final int state = flags & (IFF_UP | IFF_RUNNING | IFF_LOWER_UP) | (ignoresLinkdown() ? IGNORES_LINKDOWN : 0);
        return (long)state << Integer.SIZE | master & 0xFFFF_FFFFL;
    }

    /** Returns true also without the settings in the message. */
    private boolean ignoresLinkdown()
    {
        return !settings.isPresent() ||
            settings.ipv4(LinkLayout.IPV4_DEVCONF_IGNORE_ROUTES_WITH_LINKDOWN, 0) != 0 ||
            settings.ipv6(LinkLayout.DEVCONF_IGNORE_ROUTES_WITH_LINKDOWN, 0) != 0;
    }

    /** Returns whether a link with a {@link #routingState()} is up, with or without a carrier. */
    static boolean isUp(final long routingState)
    {
        return ((int)(routingState >>> Integer.SIZE) & IFF_UP) != 0;
    }

    /** Returns whether two states differ only in these: up, and a carrier that routes do not need. */
    static boolean isOfCarrierOrUp(final long before, final long now)
    {
        return (int)before == (int)now && ((int)((before | now) >>> Integer.SIZE) & IGNORES_LINKDOWN) == 0;
    }

    /** Returns whether a link with a {@link #routingState()} sends frames. */
    static boolean isUsable(final long routingState)
    {
        return ((int)(routingState >>> Integer.SIZE) & USABLE) == USABLE;
    }
}
