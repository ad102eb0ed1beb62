package org.fibnuma.binding.rtnetlink;

import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;

/**
 * The settings {@code net.ipv4.conf.IF} and {@code net.ipv6.conf.IF} of one interface, from IFLA_AF_SPEC of a message
 * about its link (inet_fill_link_af in net/ipv4/devinet.c, inet6_fill_ifla6_attrs in net/ipv6/addrconf.c). A flyweight:
 * valid as long as the message.
 */
final class DeviceSettings
{
    private final NetlinkAttributeFlyweight families = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight ipv4 = new NetlinkAttributeFlyweight();
    private final NetlinkAttributeFlyweight ipv6 = new NetlinkAttributeFlyweight();
    private boolean hasIpv4;
    private boolean hasIpv6;
    private boolean present;

    /** Forgets the settings of the message before. */
    void clear()
    {
        present = false;
        hasIpv4 = false;
        hasIpv6 = false;
    }

    /** Moves to the settings in an attribute IFLA_AF_SPEC. */
    void wrap(final NetlinkAttributeFlyweight specifications)
    {
        clear();
        present = true;
        families.wrapNested(specifications);
        while (families.next())
        {
            switch (families.type())
            {
                case SysSocket.AF_INET -> hasIpv4 = ipv4.wrapNested(families).find(LinkLayout.IFLA_INET_CONF);
                case SysSocket.AF_INET6 -> hasIpv6 = ipv6.wrapNested(families).find(LinkLayout.IFLA_INET6_CONF);
                default ->
                {
                }
            }
        }
    }

    /** Returns whether the message has the attribute. */
    boolean isPresent()
    {
        return present;
    }

    /**
     * Returns a setting of IPv4.
     *
     * @param number     {@code IPV4_DEVCONF_...} of linux/ip.h, from 1.
     * @param substitute returned if the interface has no IPv4 or the kernel does not have the setting.
     */
    int ipv4(final int number, final int substitute)
    {
        return hasIpv4 ? value(ipv4, number - 1, substitute) : substitute;
    }

    /**
     * Returns a setting of IPv6.
     *
     * @param number     {@code DEVCONF_...} of linux/ipv6.h, from 0.
     * @param substitute returned if the interface has no IPv6 or the kernel does not have the setting.
     */
    int ipv6(final int number, final int substitute)
    {
        return hasIpv6 ? value(ipv6, number, substitute) : substitute;
    }

    private static int value(final NetlinkAttributeFlyweight array, final int index, final int substitute)
    {
        final int offset = index * Integer.BYTES;
        return offset + Integer.BYTES > array.valueLength() ?
            substitute : array.buffer().getInt(array.valueOffset() + offset);
    }
}
