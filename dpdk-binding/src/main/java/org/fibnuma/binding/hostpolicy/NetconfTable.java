package org.fibnuma.binding.hostpolicy;

import org.agrona.collections.Int2IntHashMap;
import org.fibnuma.binding.libc.SysSocket;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkMessageFlyweight;
import org.fibnuma.core.kernel.ReversePath;

import static org.fibnuma.binding.hostpolicy.NetconfLayout.NETCONFA_FORWARDING;
import static org.fibnuma.binding.hostpolicy.NetconfLayout.NETCONFA_IFINDEX;
import static org.fibnuma.binding.hostpolicy.NetconfLayout.NETCONFA_IFINDEX_ALL;
import static org.fibnuma.binding.hostpolicy.NetconfLayout.NETCONFA_RP_FILTER;

/**
 * IPv4 forwarding and reverse-path check of every interface, from RTM_NEWNETCONF. A notification contains only the
 * setting that changed. The default is forwarding on and check off. Messages about IPv6 are ignored:
 * {@link Ipv6Forwarding} reads the settings that decide.
 */
final class NetconfTable
{
    private static final int UNKNOWN = -1;
    /** No valid index: interfaces are above 0, ALL is -1, DEFAULT is -2. */
    private static final int NO_INTERFACE = 0;

    private final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();
    private final Int2IntHashMap forwarding = new Int2IntHashMap(UNKNOWN);
    private final Int2IntHashMap reversePath = new Int2IntHashMap(UNKNOWN);

    void clear()
    {
        forwarding.clear();
        reversePath.clear();
    }

    /** Handles a message of type RTM_NEWNETCONF or RTM_DELNETCONF. */
    void onMessage(final NetlinkMessageFlyweight message)
    {
        if (!message.wrapAttributes(attributes, NetconfLayout.LENGTH) ||
            message.buffer().getByte(message.payloadOffset() + NetconfLayout.FAMILY_OFFSET) != SysSocket.AF_INET)
        {
            return;
        }
        int index = NO_INTERFACE;
        int forwards = UNKNOWN;
        int filter = UNKNOWN;
        while (attributes.next())
        {
            switch (attributes.type())
            {
                case NETCONFA_IFINDEX -> index = attributes.intValue(NO_INTERFACE);
                case NETCONFA_FORWARDING -> forwards = attributes.intValue(UNKNOWN);
                case NETCONFA_RP_FILTER -> filter = attributes.intValue(UNKNOWN);
                default ->
                {
                }
            }
        }
        if (message.type() == NetconfLayout.RTM_DELNETCONF)
        {
            forwarding.remove(index);
            reversePath.remove(index);
        }
        else if (index != NO_INTERFACE)
        {
            put(forwarding, index, forwards);
            put(reversePath, index, filter);
        }
    }

    private static void put(final Int2IntHashMap map, final int index, final int value)
    {
        if (value != UNKNOWN)
        {
            map.put(index, value);
        }
    }

    /** Returns whether IPv4 packets that an interface receives are forwarded. */
    boolean forwards(final int interfaceIndex)
    {
        return forwarding.get(interfaceIndex) != 0;
    }

    /** Returns the check of an interface: the larger of its own rp_filter and that of ALL (IN_DEV_RPFILTER). */
    ReversePath reversePath(final int interfaceIndex)
    {
        return ReversePath.of(Math.max(
            Math.max(reversePath.get(interfaceIndex), reversePath.get(NETCONFA_IFINDEX_ALL)), 0));
    }
}
