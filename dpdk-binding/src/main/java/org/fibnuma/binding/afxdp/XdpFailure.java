package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.bpf.LoadedProgram;
import org.fibnuma.binding.hostpolicy.LinkMembership;
import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.binding.netdevice.NetworkDevice;
import org.fibnuma.binding.netlink.NetlinkExchange;
import org.fibnuma.binding.netlink.NetlinkLayout;
import org.fibnuma.core.UserException;
import org.fibnuma.core.port.PortRequest;

/** Translates refusals of the kernel into one line for the user: what failed and what to do. */
final class XdpFailure
{
    private static final String NEEDS_RIGHTS =
        "needs root, or the capabilities CAP_NET_ADMIN, CAP_NET_RAW and CAP_BPF: run it with sudo";

    /**
     * In bytes: a memory page of 4,096 less 256 before the frame, 320 after it and the Ethernet header (veth.c, Linux
     * 6.18).
     */
    private static final int LARGEST_VETH_MTU = 3506;

    private final PortRequest request;

    XdpFailure(final PortRequest request)
    {
        this.request = request;
    }

    /** Creates an exception whose message starts with the port and its device. */
    UserException of(final String text)
    {
        return new UserException(prefix() + text);
    }

    UserException noInterface()
    {
        return of("there is no interface " + request.device() +
            " in this network namespace: ip link shows them");
    }

    UserException onSocket(final SystemCallException ex)
    {
        final int errno = ex.errno();
        if (isRights(errno))
        {
            return of(NEEDS_RIGHTS, ex);
        }
        if (Errno.EAFNOSUPPORT.is(errno))
        {
            return of("this kernel is built without AF_XDP (CONFIG_XDP_SOCKETS)", ex);
        }
        if (Errno.ENOBUFS.is(errno) || Errno.ENOMEM.is(errno))
        {
            final long mebibytes = request.pools().get(0).region().size() >> 20;
            return of("cannot lock " + mebibytes + " MiB of frame memory: run it as root or raise the limit " +
                "(ulimit -l unlimited), or use fewer frames", ex);
        }
        return of("the kernel refuses " + ex.getMessage(), ex);
    }

    UserException onBind(final SystemCallException ex, final int queue)
    {
        final int errno = ex.errno();
        if (Errno.EBUSY.is(errno))
        {
            return of("queue " + queue + " is in use by another AF_XDP socket: another router or capture on this " +
                "interface? (ss --xdp shows it)", ex);
        }
        if (Errno.EINVAL.is(errno))
        {
            return of("has no queue " + queue + ": " + moreQueues(queue + 1), ex);
        }
        if (Errno.ENETDOWN.is(errno))
        {
            return down();
        }
        return of("cannot bind queue " + queue + ": " + ex.getMessage(), ex);
    }

    UserException onProgram(final SystemCallException ex)
    {
        return isRights(ex.errno()) ? of(NEEDS_RIGHTS, ex) : of("cannot load the XDP program: " + ex.getMessage(), ex);
    }

    UserException onAttach(final SystemCallException ex, final int interfaceIndex)
    {
        final int errno = ex.errno();
        if (Errno.EBUSY.is(errno) || Errno.EEXIST.is(errno))
        {
            return of("an XDP program is attached already" + attached(interfaceIndex) + ": stop its owner, or detach " +
                "it with ip link set " + request.device() + " xdp off", ex);
        }
        if (isRights(errno))
        {
            return of(NEEDS_RIGHTS, ex);
        }
        if (Errno.ERANGE.is(errno))
        {
            return of("the MTU of its peer is too large for an XDP program in the driver, without which large TCP " +
                "sends arrive unsegmented: set the peer's MTU to " + LARGEST_VETH_MTU + " or less", ex);
        }
        return of("cannot attach the XDP program: " + ex.getMessage(), ex);
    }

    /** Returns the id of the attached program, if the kernel reports it, and the command that shows it. */
    private String attached(final int interfaceIndex)
    {
        try (NetlinkExchange exchange = new NetlinkExchange(NetlinkLayout.NETLINK_ROUTE))
        {
            final LinkMembership links = new LinkMembership();
            links.read(exchange);
            final int id = links.xdpProgram(interfaceIndex);
            return id == 0 ? " (ip link show " + request.device() + ")" :
                ", " + LoadedProgram.describe(id) + " (bpftool prog show id " + id + ")";
        }
        catch (final SystemCallException ignore)
        {
            return "";
        }
    }

    /** Explains that the rest of a longer frame would be received as a separate frame. */
    UserException shortBuffer(final NetworkDevice device, final int longest, final int chunkSize)
    {
        final int mtu = longest - ReceiveBuffer.neededFor(0);
        return of("the zero-copy mode of " + (device.driver().isEmpty() ? "its driver" : device.driver()) +
            " receives only " + longest + " bytes into a frame of " + chunkSize + ", so that longer frames than " +
            "those of MTU " + mtu + " would be lost, but its MTU is " + device.mtu() + ": " +
            (chunkSize < ReceiveBuffer.LARGEST_CHUNK ? "set frame-size = " + ReceiveBuffer.LARGEST_CHUNK :
            "ip link set " + device.name() + " mtu " + mtu) + ", or zero-copy = false");
    }

    UserException down()
    {
        return of("the interface is down: ip link set " + request.device() + " up");
    }

    /** Returns the command that sets the number of queues. */
    String moreQueues(final int count)
    {
        return "ethtool -L " + request.device() + " combined " + count + " (or rx " + count + " tx " + count + ")";
    }

    private static boolean isRights(final int errno)
    {
        return Errno.EPERM.is(errno) || Errno.EACCES.is(errno);
    }

    private UserException of(final String text, final SystemCallException cause)
    {
        return new UserException(prefix() + text, cause);
    }

    private String prefix()
    {
        return "port " + request.name() + " (" + XdpPortProvider.SCHEME + ":" + request.device() + "): ";
    }
}
