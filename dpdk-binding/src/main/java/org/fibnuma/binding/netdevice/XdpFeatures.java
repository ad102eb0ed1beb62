package org.fibnuma.binding.netdevice;

import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkLayout;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.binding.netlink.NetlinkRequest;
import org.fibnuma.binding.netlink.NetlinkSocket;

import java.nio.ByteBuffer;

/**
 * Reads the XDP features of an interface from the kernel's generic netlink family "netdev" (linux/genetlink.h,
 * linux/netdev.h, Linux 6.3; older kernels do not have it). One thread; reading does not allocate.
 */
public final class XdpFeatures implements AutoCloseable
{
    private static final int UNKNOWN = 0;
    private static final int BUFFER_LENGTH = 16 * 1024;

    private final NetlinkSocket socket;
    private final UnsafeBuffer answer = new UnsafeBuffer(ByteBuffer.allocateDirect(BUFFER_LENGTH));
    private final NetlinkMessageFlyweight message = new NetlinkMessageFlyweight();
    private final NetlinkAttributeFlyweight attribute = new NetlinkAttributeFlyweight();
    private final NetlinkRequest request = new NetlinkRequest(256);
    private final boolean known;

    /**
     * Opens a netlink socket and reads the number of the family. The interface is in the calling thread's network
     * namespace.
     *
     * @throws SystemCallException if the kernel refuses the socket.
     */
    public XdpFeatures(final int ifindex)
    {
        this.socket = NetlinkSocket.open(GenericNetlinkLayout.NETLINK_GENERIC);
        request.clear().begin(GenericNetlinkLayout.GENL_ID_CTRL, 0, 1, GenericNetlinkLayout.HEADER_LENGTH)
            .putByte(0, GenericNetlinkLayout.CTRL_CMD_GETFAMILY)
            .putByte(GenericNetlinkLayout.VERSION_OFFSET, GenericNetlinkLayout.VERSION)
            .addText(GenericNetlinkLayout.CTRL_ATTR_FAMILY_NAME, GenericNetlinkLayout.NETDEV_FAMILY_NAME);
        final int family = read(GenericNetlinkLayout.CTRL_ATTR_FAMILY_ID) & 0xFFFF;
        this.known = family != UNKNOWN;
        request.clear().begin(family, 0, 2, GenericNetlinkLayout.HEADER_LENGTH)
            .putByte(0, GenericNetlinkLayout.NETDEV_CMD_DEV_GET)
            .putByte(GenericNetlinkLayout.VERSION_OFFSET, GenericNetlinkLayout.VERSION)
            .addInt(GenericNetlinkLayout.NETDEV_A_DEV_IFINDEX, ifindex);
    }

    /** Returns whether this kernel reports XDP features of interfaces, as Linux 6.3 and later do. */
    public boolean isKnown()
    {
        return known;
    }

    /**
     * Returns whether the interface transmits frames that an XDP program redirects to it; false also if the kernel does
     * not report it. On a virtual Ethernet pair the peer must have an XDP program or generic receive offload.
     */
    public boolean sendsRedirected()
    {
        return has(GenericNetlinkLayout.NETDEV_XDP_ACT_NDO_XMIT);
    }

    /** Returns whether the driver has AF_XDP's zero-copy mode; false also if the kernel does not report it. */
    public boolean receivesZeroCopy()
    {
        return has(GenericNetlinkLayout.NETDEV_XDP_ACT_XSK_ZEROCOPY);
    }

    private boolean has(final int feature)
    {
        return known && (read(GenericNetlinkLayout.NETDEV_A_DEV_XDP_FEATURES) & feature) != 0;
    }

    @Override
    public void close()
    {
        socket.close();
    }

    /** Returns the low bits of an attribute of the answer. The kernel writes the answer during the send call. */
    private int read(final int type)
    {
        int value = UNKNOWN;
        try
        {
            socket.send(request);
            final int length = socket.receive(answer);
            message.wrap(answer, 0, Math.max(0, length));
            while (message.next())
            {
                if (message.type() != NetlinkLayout.NLMSG_ERROR &&
                    message.wrapAttributes(attribute, GenericNetlinkLayout.HEADER_LENGTH))
                {
                    value = find(type);
                }
            }
        }
        catch (final SystemCallException ignore)
        {
            // The feature is unknown.
        }
        return value;
    }

    private int find(final int type)
    {
        return !attribute.find(type) ? UNKNOWN : attribute.valueLength() == Short.BYTES ?
            attribute.shortValue(UNKNOWN) : attribute.intValue(UNKNOWN);
    }
}
