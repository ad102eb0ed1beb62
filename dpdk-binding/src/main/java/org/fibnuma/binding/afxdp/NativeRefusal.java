package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.bpf.BpfProgram;
import org.fibnuma.binding.bpf.XdpMode;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.binding.netlink.NetlinkExchange;
import org.fibnuma.binding.netlink.NetlinkLayout;
import org.fibnuma.binding.netlink.NetlinkRequest;
import org.fibnuma.binding.rtnetlink.LinkLayout;

/**
 * Finds out why a driver refuses an XDP program in native mode. bpf(2) returns only an error number; the same request
 * by rtnetlink returns the driver's message. One thread.
 */
final class NativeRefusal
{
    private static final int REQUEST_CAPACITY = 128;
    /** XDP_FLAGS_UPDATE_IF_NOEXIST (linux/if_link.h, Linux 6.1). */
    private static final int UPDATE_IF_NOEXIST = 1;
    private static final int DETACH = -1;

    private NativeRefusal()
    {
    }

    /**
     * Tries to attach a program that bpf(2) could not attach, and leaves it detached. Returns one line with the error
     * and the driver's message, or {@code errno}, the text of bpf(2)'s error, if the kernel has no message.
     */
    static String of(final BpfProgram program, final int ifindex, final String errno)
    {
        try (NetlinkExchange exchange = new NetlinkExchange(NetlinkLayout.NETLINK_ROUTE))
        {
            if (exchange.execute(request(exchange, ifindex, program.fd(), UPDATE_IF_NOEXIST)) != 0)
            {
                return exchange.refusal();
            }
            exchange.execute(request(exchange, ifindex, DETACH, 0));
        }
        catch (final SystemCallException ignore)
        {
            // The error number remains.
        }
        return errno;
    }

    private static NetlinkRequest request(
        final NetlinkExchange exchange, final int ifindex, final int fd, final int flags)
    {
        final NetlinkRequest request = new NetlinkRequest(REQUEST_CAPACITY).begin(
            LinkLayout.RTM_SETLINK, NetlinkLayout.NLM_F_ACK, exchange.nextSequence(), LinkLayout.LENGTH)
            .putInt(LinkLayout.INDEX_OFFSET, ifindex);
        final int xdp = request.beginNested(LinkLayout.IFLA_XDP);
        return request.addInt(LinkLayout.IFLA_XDP_FD, fd)
            .addInt(LinkLayout.IFLA_XDP_FLAGS, XdpMode.NATIVE.flag() | flags)
            .endNested(xdp);
    }
}
