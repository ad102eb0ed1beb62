package org.fibnuma.binding.tun;

import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.binding.netlink.NetlinkExchange;
import org.fibnuma.binding.netlink.NetlinkLayout;
import org.fibnuma.binding.netlink.NetlinkRequest;
import org.fibnuma.binding.rtnetlink.AddressLayout;
import org.fibnuma.core.UserException;
import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.wire.Ipv4Address;

/** Gives interfaces addresses, as {@code ip address replace} does. */
final class AddressWriter
{
    private static final int MAX_REQUEST_LENGTH = 64;

    private AddressWriter()
    {
    }

    /** Needs CAP_NET_ADMIN in the calling thread's network namespace. One that is there already is left alone. */
    static void put(final KernelAddress address)
    {
        final NetlinkRequest request = new NetlinkRequest(MAX_REQUEST_LENGTH);
        try (NetlinkExchange exchange = new NetlinkExchange(NetlinkLayout.NETLINK_ROUTE))
        {
            request.begin(
                AddressLayout.RTM_NEWADDR,
                NetlinkLayout.NLM_F_CREATE | NetlinkLayout.NLM_F_REPLACE | NetlinkLayout.NLM_F_ACK,
                exchange.nextSequence(),
                AddressLayout.LENGTH)
                .putByte(AddressLayout.FAMILY_OFFSET, SysSocket.AF_INET)
                .putByte(AddressLayout.PREFIX_LENGTH_OFFSET, address.prefixLength())
                .putInt(AddressLayout.INDEX_OFFSET, address.interfaceIndex())
                .addIpv4(AddressLayout.IFA_LOCAL, address.address())
                .addIpv4(AddressLayout.IFA_ADDRESS, address.address());
            if (exchange.execute(request) != 0)
            {
                throw new UserException("netlink: the kernel refused the address " +
                    Ipv4Address.format(address.address()) + "/" + address.prefixLength() + ": " +
                    exchange.refusal());
            }
        }
        catch (final SystemCallException ex)
        {
            throw new UserException("netlink: " + ex.getMessage(), ex);
        }
    }
}
