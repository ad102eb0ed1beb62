package org.fibnuma.fibnic.adjacency;

import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.InterfacePolicy;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.VlanTag;

import java.nio.ByteOrder;
import java.util.List;

/**
 * An interface of the router: a port's untagged frames or one VLAN of it. Immutable: a change is a new object in the
 * {@link InterfaceTable}.
 */
public final class RouterInterface
{
    /** Returned by {@link #address()} if the interface has none. */
    public static final int NO_ADDRESS = 0;

    /** Smallest MTU that IPv4 allows, RFC 791 section 3.2. */
    public static final int MIN_MTU = 68;

    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    /** Above every scope, for a secondary address, which is no source of the host's own messages. */
    private static final int NO_SOURCE = 256;

    /** Shortest prefix length of networks without a broadcast address (RFC 3021). */
    private static final int NO_BROADCAST_LENGTH = 31;

    private final long mac;
    private final long macWord;
    private final int mtu;
    private final List<Integer> addresses;
    private final int address;
    /** One address of each network, in the order of the addresses, and the network's mask. */
    private final int[] networkAddresses;
    private final int[] networkMasks;
    /** Of these addresses: the scope, or {@link #NO_SOURCE}. */
    private final int[] sourceScopes;
    private final List<KernelAddress> ipv6Addresses;
    private final boolean sendsRedirects;
    private final InterfacePolicy policy;
    private final long tags;
    private final InterfaceRules rules;

    /**
     * Creates an interface without connected networks and redirects.
     *
     * @param mac       as in {@link org.fibnuma.core.wire.MacAddress}.
     * @param mtu       longest IP packet in bytes, {@link #MIN_MTU} or more.
     * @param addresses IPv4, the primary one first; may be empty.
     */
    public RouterInterface(final long mac, final int mtu, final List<Integer> addresses)
    {
        this(mac, mtu, addresses, addresses.stream().mapToInt(each -> each).toArray(),
            addresses.stream().mapToInt(each -> Ipv4Address.mask(Integer.SIZE)).toArray(),
            new int[addresses.size()], List.of(), false, InterfacePolicy.OPEN, 0, InterfaceRules.NONE);
    }

    /**
     * Creates an interface with connected networks.
     *
     * @param mac            as in {@link org.fibnuma.core.wire.MacAddress}.
     * @param mtu            longest IP packet in bytes, {@link #MIN_MTU} or more.
     * @param addresses      IPv4 and IPv6 with their networks, the primary one of each family first; may be empty.
     * @param sendsRedirects whether ICMP redirects are sent to its networks.
     */
    public static RouterInterface of(
        final long mac, final int mtu, final List<KernelAddress> addresses, final boolean sendsRedirects)
    {
        final List<KernelAddress> ipv4 = addresses.stream().filter(each -> each.address().isIpv4()).toList();
        return new RouterInterface(
            mac,
            mtu,
            ipv4.stream().map(address -> address.address().ipv4()).distinct().toList(),
            ipv4.stream().mapToInt(address -> address.address().ipv4()).toArray(),
            ipv4.stream().mapToInt(each -> Ipv4Address.mask(each.prefixLength())).toArray(),
            ipv4.stream().mapToInt(each -> each.secondary() ? NO_SOURCE : each.scope()).toArray(),
            addresses.stream().filter(each -> !each.address().isIpv4()).toList(),
            sendsRedirects,
            InterfacePolicy.OPEN,
            0,
            InterfaceRules.NONE);
    }

    private RouterInterface(
        final long mac,
        final int mtu,
        final List<Integer> addresses,
        final int[] networkAddresses,
        final int[] networkMasks,
        final int[] sourceScopes,
        final List<KernelAddress> ipv6Addresses,
        final boolean sendsRedirects,
        final InterfacePolicy policy,
        final long tags,
        final InterfaceRules rules)
    {
        if (mtu < MIN_MTU)
        {
            throw new IllegalArgumentException("MTU " + mtu + " is below the IPv4 minimum of " + MIN_MTU);
        }
        this.mac = mac;
        this.mtu = mtu;
        this.addresses = List.copyOf(addresses);
        this.address = addresses.isEmpty() ? NO_ADDRESS : addresses.get(0);
        this.networkAddresses = networkAddresses;
        this.networkMasks = networkMasks;
        this.sourceScopes = sourceScopes;
        this.ipv6Addresses = ipv6Addresses;
        this.sendsRedirects = sendsRedirects;
        // One object for the most common policy, so that workers compare references.
        this.policy = InterfacePolicy.OPEN.equals(policy) ? InterfacePolicy.OPEN : policy;
        this.tags = tags;
        this.rules = rules;
        this.macWord = LITTLE_ENDIAN ? Long.reverseBytes(mac << 16) : mac << 16;
    }

    /** Returns a copy with another policy of the host for packets received by the interface. */
    public RouterInterface with(final InterfacePolicy changed)
    {
        return new RouterInterface(
            mac, mtu, addresses, networkAddresses, networkMasks, sourceScopes, ipv6Addresses, sendsRedirects, changed,
            tags, rules);
    }

    /** Returns a copy whose packets are routed by other rules. */
    public RouterInterface with(final InterfaceRules changed)
    {
        return new RouterInterface(
            mac, mtu, addresses, networkAddresses, networkMasks, sourceScopes, ipv6Addresses, sendsRedirects, policy,
            tags, changed);
    }

    /**
     * Returns a copy for a VLAN.
     *
     * @param changed VLAN tags of the frames that leave by it, see {@link VlanTag}; 0 for untagged frames of a port.
     */
    public RouterInterface withTags(final long changed)
    {
        return new RouterInterface(
            mac, mtu, addresses, networkAddresses, networkMasks, sourceScopes, ipv6Addresses, sendsRedirects, policy,
            changed, rules);
    }

    /** Returns the VLAN tags, with PCP, of frames that leave by the interface, see {@link VlanTag}; 0 for none. */
    public long tags()
    {
        return tags;
    }

    /** Returns the host's policy for received packets: the object {@link InterfacePolicy#OPEN} if it restricts none. */
    public InterfacePolicy policy()
    {
        return policy;
    }

    /** Returns the rules by which received packets are routed: the object {@link InterfaceRules#NONE} without any. */
    public InterfaceRules rules()
    {
        return rules;
    }

    /** Returns the link-layer address, as in {@link org.fibnuma.core.wire.MacAddress}. */
    public long mac()
    {
        return mac;
    }

    /** Returns the link-layer address as the first eight bytes of a frame, in machine order, for {@link #macFault}. */
    public long macWord()
    {
        return macWord;
    }

    /**
     * Returns whether a frame has another destination MAC address. There is no branch, so that a caller can OR the
     * faults of a frame into one number.
     *
     * @param firstWord the first eight bytes of the frame, in machine order.
     * @param macWord   {@link #macWord()} of the interface.
     * @return 0 if the destination is this interface; otherwise a number whose lowest 16 bits are 0.
     */
    public static long macFault(final long firstWord, final long macWord)
    {
        return LITTLE_ENDIAN ? (firstWord ^ macWord) << Short.SIZE : (firstWord ^ macWord) & -1L << Short.SIZE;
    }

    /**
     * Returns whether received frames of another interface of the same port have the same fate as those of this one,
     * once their VLAN tags are removed: their addresses and networks do not matter.
     */
    public boolean receivesAs(final RouterInterface other)
    {
        return this == other || macWord == other.macWord && (tags == 0) == (other.tags == 0) &&
            (address == NO_ADDRESS) == (other.address == NO_ADDRESS) && policy.equals(other.policy) &&
            rules == other.rules;
    }

    /** Returns the longest IP packet on the link in bytes. */
    public int mtu()
    {
        return mtu;
    }

    /** Returns all IPv4 addresses, the primary one first; empty where there is none. */
    public List<Integer> addresses()
    {
        return addresses;
    }

    /** Returns the source address of the router's own messages: the primary address, or {@link #NO_ADDRESS}. */
    public int address()
    {
        return address;
    }

    /**
     * Returns the source address of messages that leave by a route on the interface, as the kernel selects it
     * (inet_select_addr in net/ipv4/devinet.c, Linux 6.1).
     *
     * @param gateway IPv4 address of the next hop, 0 if the route has none.
     * @param scope   of the route; an address with a higher scope is not returned.
     * @return the first primary address whose network contains the gateway, else the first primary address, else
     *         {@link #NO_ADDRESS}.
     */
    public int sourceFor(final int gateway, final int scope)
    {
        int first = NO_ADDRESS;
        for (int i = 0; i < networkMasks.length; i++)
        {
            if (sourceScopes[i] <= scope)
            {
                if (gateway == 0 || ((networkAddresses[i] ^ gateway) & networkMasks[i]) == 0)
                {
                    return networkAddresses[i];
                }
                first = first == NO_ADDRESS ? networkAddresses[i] : first;
            }
        }
        return first;
    }

    /**
     * Returns the first own IPv4 address whose network contains the addresses of two hosts, else {@link #NO_ADDRESS}.
     */
    public int addressBetween(final int host, final int other)
    {
        for (int i = 0; i < networkMasks.length; i++)
        {
            final int own = networkAddresses[i];
            if ((((own ^ host) | (own ^ other)) & networkMasks[i]) == 0)
            {
                return own;
            }
        }
        return NO_ADDRESS;
    }

    /**
     * Returns whether an IPv4 address is {prefix, 0} of one of the connected networks, an obsolete form of its
     * broadcast address (RFC 1812 section 4.2.3.1). Networks of one or two addresses have none.
     */
    public boolean isOldBroadcast(final int destination)
    {
        for (int i = 0; i < networkMasks.length; i++)
        {
            final int mask = networkMasks[i];
            if (destination == (networkAddresses[i] & mask) && mask << NO_BROADCAST_LENGTH - 1 == 0)
            {
                return true;
            }
        }
        return false;
    }

    /** Returns all IPv6 addresses with the prefix lengths of their networks, link-local ones included. */
    public List<KernelAddress> ipv6Addresses()
    {
        return ipv6Addresses;
    }

    /**
     * Returns the source address of IPv6 messages to a neighbour, given by the two halves of its address. Allocates
     * nothing.
     *
     * @return the first own address on the neighbour's network, else the first that is not link-local, else
     *         {@link IpAddress#NONE}. Link-local addresses are returned only for a link-local neighbour.
     */
    public IpAddress ipv6AddressTowards(final long high, final long low)
    {
        final boolean linkLocal = Ipv6Address.isLinkLocal(high);
        IpAddress found = IpAddress.NONE;
        for (int i = 0; i < ipv6Addresses.size(); i++)
        {
            final KernelAddress each = ipv6Addresses.get(i);
            final IpAddress own = each.address();
            if (linkLocal == Ipv6Address.isLinkLocal(own.high()))
            {
                if (((own.high() ^ high) & Ipv6Address.maskHigh(each.prefixLength()) |
                    (own.low() ^ low) & Ipv6Address.maskLow(each.prefixLength())) == 0)
                {
                    return own;
                }
                found = found.isNone() ? own : found;
            }
        }
        return found;
    }

    /** Returns whether ICMP redirects are sent to the networks of the interface (RFC 1812 section 5.2.7.2). */
    public boolean sendsRedirects()
    {
        return sendsRedirects;
    }
}
