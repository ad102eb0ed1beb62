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
 * linux/netdev.h, Linux 6.3; older kernels do not have it). One thread; reading allocates nothing.
 */
public final class XdpFeatures implements AutoCloseable
{
    private static final int NETLINK_GENERIC = 16;
    private static final int GENL_ID_CTRL = 0x10;
    /** {@code struct genlmsghdr}: the command is the first byte, the version the second. */
    private static final int GENL_HEADER_LENGTH = 4;
    private static final int VERSION_OFFSET = 1;
    private static final int VERSION = 1;
    private static final int CTRL_CMD_GETFAMILY = 3;
    private static final int CTRL_ATTR_FAMILY_ID = 1;
    private static final int CTRL_ATTR_FAMILY_NAME = 2;
    private static final String FAMILY_NAME = "netdev";
    private static final int NETDEV_CMD_DEV_GET = 1;
    private static final int NETDEV_A_DEV_IFINDEX = 1;
    private static final int NETDEV_A_DEV_XDP_FEATURES = 3;
    private static final int NETDEV_XDP_ACT_NDO_XMIT = 4;
    private static final int NETDEV_XDP_ACT_XSK_ZEROCOPY = 8;
    private static final int UNKNOWN = 0;
    private static final int BUFFER_LENGTH = 16 * 1024;

    private final NetlinkSocket socket;
    private final UnsafeBuffer answer = new UnsafeBuffer(ByteBuffer.allocateDirect(BUFFER_LENGTH));
    private final NetlinkMessageFlyweight message = new NetlinkMessageFlyweight();
    private final NetlinkAttributeFlyweight attribute = new NetlinkAttributeFlyweight();
    private final NetlinkRequest request = new NetlinkRequest(256);
    private final boolean askable;

    /**
     * Opens a netlink socket and looks up the family.
     *
     * @param ifindex of the interface, in the calling thread's network namespace.
     * @throws SystemCallException where the kernel gives no netlink socket.
     */
    public XdpFeatures(final int ifindex)
    {
        this.socket = NetlinkSocket.open(NETLINK_GENERIC);
        request.clear().begin(GENL_ID_CTRL, 0, 1, GENL_HEADER_LENGTH)
            .putByte(0, CTRL_CMD_GETFAMILY).putByte(VERSION_OFFSET, VERSION)
            .addText(CTRL_ATTR_FAMILY_NAME, FAMILY_NAME);
        final int family = ask(CTRL_ATTR_FAMILY_ID) & 0xFFFF;
        this.askable = family != UNKNOWN;
        request.clear().begin(family, 0, 2, GENL_HEADER_LENGTH)
            .putByte(0, NETDEV_CMD_DEV_GET).putByte(VERSION_OFFSET, VERSION)
            .addInt(NETDEV_A_DEV_IFINDEX, ifindex);
    }

    /** Returns whether this kernel reports XDP features of interfaces: true from Linux 6.3 on. */
    public boolean isKnown()
    {
        return askable;
    }

    /**
     * Returns whether the interface transmits frames that an XDP program redirects to it; false also where the kernel
     * does not report it. On a virtual Ethernet pair the peer must have an XDP program or generic receive offload.
     */
    public boolean sendsRedirected()
    {
        return askable && (ask(NETDEV_A_DEV_XDP_FEATURES) & NETDEV_XDP_ACT_NDO_XMIT) != 0;
    }

    /** Returns whether the driver has AF_XDP's zero-copy mode; false also where the kernel does not report it. */
    public boolean receivesZeroCopy()
    {
        return askable && (ask(NETDEV_A_DEV_XDP_FEATURES) & NETDEV_XDP_ACT_XSK_ZEROCOPY) != 0;
    }

    @Override
    public void close()
    {
        socket.close();
    }

    /** Returns the low bits of an attribute of the answer, which the kernel writes during the send call. */
    private int ask(final int type)
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
                    message.wrapAttributes(attribute, GENL_HEADER_LENGTH))
                {
                    value = find(type);
                }
            }
        }
        catch (final SystemCallException ignore)
        {
            // A failed request means that the feature is unknown.
        }
        return value;
    }

    private int find(final int type)
    {
        while (attribute.next())
        {
            if (attribute.type() == type)
            {
                return attribute.valueLength() == Short.BYTES ? attribute.shortValue(UNKNOWN) :
                    attribute.intValue(UNKNOWN);
            }
        }
        return UNKNOWN;
    }
}
