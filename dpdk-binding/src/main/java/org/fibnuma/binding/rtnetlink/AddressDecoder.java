package org.fibnuma.binding.rtnetlink;

import org.agrona.DirectBuffer;
import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;

import static org.fibnuma.binding.rtnetlink.AddressLayout.IFA_F_DEPRECATED;
import static org.fibnuma.binding.rtnetlink.AddressLayout.IFA_F_NODAD;
import static org.fibnuma.binding.rtnetlink.AddressLayout.IFA_F_NOPREFIXROUTE;
import static org.fibnuma.binding.rtnetlink.AddressLayout.IFA_F_OPTIMISTIC;
import static org.fibnuma.binding.rtnetlink.AddressLayout.IFA_F_SECONDARY;
import static org.fibnuma.binding.rtnetlink.AddressLayout.IFA_F_TENTATIVE;

/** Decodes RTM_NEWADDR and RTM_DELADDR. */
final class AddressDecoder
{
    private final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();
    private int flags;
    private IpAddress inNetwork;
    private int prefixLength;
    private boolean ipv6;

    /** Decodes one message. Returns null if the address is neither IPv4 nor IPv6 or the message is malformed. */
    KernelAddress decode(final NetlinkMessageFlyweight message)
    {
        if (!message.wrapAttributes(attributes, AddressLayout.LENGTH))
        {
            return null;
        }
        final DirectBuffer buffer = message.buffer();
        final int body = message.payloadOffset();
        prefixLength = buffer.getByte(body + AddressLayout.PREFIX_LENGTH_OFFSET) & 0xFF;
        final int family = buffer.getByte(body + AddressLayout.FAMILY_OFFSET);
        flags = buffer.getByte(body + AddressLayout.FLAGS_OFFSET) & 0xFF;
        ipv6 = family == SysSocket.AF_INET6;
        if (!AddressFamily.isIp(family) || prefixLength > AddressFamily.bits(family))
        {
            return null;
        }
        IpAddress local = IpAddress.NONE;
        IpAddress address = IpAddress.NONE;
        while (attributes.next())
        {
            switch (attributes.type())
            {
                case AddressLayout.IFA_LOCAL -> local = attributes.addressValue();
                case AddressLayout.IFA_ADDRESS -> address = attributes.addressValue();
                case AddressLayout.IFA_FLAGS -> flags = attributes.intValue(flags);
                default ->
                {
                }
            }
        }
        final IpAddress own = local.isNone() ? address : local;
        inNetwork = address.isNone() ? own : address;
        return own.isNone() || own.isIpv4() != (family == SysSocket.AF_INET) ? null :
            new KernelAddress(
                buffer.getInt(body + AddressLayout.INDEX_OFFSET), own, prefixLength,
                own.isIpv4() ? buffer.getByte(body + AddressLayout.SCOPE_OFFSET) & 0xFF : 0,
                (flags & IFA_F_SECONDARY) != 0, !own.isIpv4() && (flags & IFA_F_DEPRECATED) != 0);
    }

    /** Returns the network of the last address, that of the peer if there is one. */
    IpPrefix network()
    {
        return IpPrefix.of(inNetwork, prefixLength);
    }

    /** Returns whether the kernel makes a route to the {@link #network()}. */
    boolean makesRoute()
    {
        return (flags & IFA_F_NOPREFIXROUTE) == 0;
    }

    /**
     * Returns whether the host does not use the last address while its interface is down: an IPv6 address is removed
     * or, with keep_addr_on_down, is tentative until the interface is up (addrconf_ifdown in net/ipv6/addrconf.c). The
     * kernel does not notify that it is tentative.
     */
    boolean endsWhenDown()
    {
        return ipv6 && (flags & IFA_F_NODAD) == 0;
    }

    /**
     * Returns whether the host uses the last address. It does not use an IPv6 address before duplicate address
     * detection has ended, nor after it has failed (RFC 4862 section 5.4); the kernel notifies when this changes.
     */
    boolean isUsable()
    {
        return (flags & (IFA_F_TENTATIVE | IFA_F_OPTIMISTIC)) != IFA_F_TENTATIVE;
    }
}
