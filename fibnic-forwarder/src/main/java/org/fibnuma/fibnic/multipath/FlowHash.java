package org.fibnuma.fibnic.multipath;

import org.fibnuma.fibnic.acl.AccessKeys;
import org.fibnuma.fibnic.acl.AccessRule;

/**
 * The hash by which flows are divided among several next hops, for all workers of a router. As in the kernel, each
 * family has a policy (Linux, Documentation/networking/ip-sysctl.rst, fib_multipath_hash_policy). The first hashes the
 * addresses, of IPv6 also the flow label and the first next header. The second hashes addresses, protocol and transport
 * ports. All fragments of a packet, the first one too, are hashed without ports, so that they have one hash. With the
 * first policy an ICMP error has the hash of the flow that it reports on, see {@code MultipathSelection}.
 * <p>
 * The control thread sets the policies; any thread reads them.
 */
public final class FlowHash
{
    /** Odd, from the fractional part of the square root of 5 and of the number pi. */
    private static final long FACTOR = 0x9E37_79B9_7F4A_7C15L;
    private static final long LAST_FACTOR = 0x243F_6A88_85A3_08D3L;
    private static final int NEXT_HEADER_SHIFT = 20;

    private final long seed;
    private volatile boolean ipv4ByPorts;
    private volatile boolean ipv6ByPorts;

    /**
     * Creates a hash by addresses.
     *
     * @param seed any number. Routers in a row should have different seeds: with equal seeds, each one after the first
     *             uses only a part of its next hops.
     */
    public FlowHash(final long seed)
    {
        this.seed = seed;
    }

    /** Sets the policy of a family: whether protocol and ports are hashed. */
    public void byPorts(final boolean isIpv6, final boolean byPorts)
    {
        if (isIpv6)
        {
            ipv6ByPorts = byPorts;
        }
        else
        {
            ipv4ByPorts = byPorts;
        }
    }

    /** Returns whether protocol and ports of a family are hashed. */
    public boolean isByPorts(final boolean isIpv6)
    {
        return isIpv6 ? ipv6ByPorts : ipv4ByPorts;
    }

    /** Returns the hash of a flow, as of its packets that are no fragments. */
    public int of(final Flow flow)
    {
        final AccessKeys keys = new AccessKeys();
        keys.put(0, flow.packet());
        final boolean isIpv6 = !flow.source().isIpv4();
        return isIpv6 ? ofIpv6(keys, 0, flow.flowLabel(), flow.protocol(), ipv6ByPorts) : ofIpv4(keys, 0, ipv4ByPorts);
    }

    /**
     * Returns the hash of an IPv4 packet.
     *
     * @param keys    fields of the packets of a batch.
     * @param k       position of the packet in the keys.
     * @param byPorts whether the ports are hashed, see {@link #isByPorts}; not for fragments.
     */
    public int ofIpv4(final AccessKeys keys, final int k, final boolean byPorts)
    {
        final long hash = mix(seed, keys.sourceHigh(k) | keys.destinationHigh(k) >>> Integer.SIZE);
        return last(byPorts ? mix(hash, transport(keys, k)) : hash);
    }

    /**
     * Returns the hash of an IPv6 packet.
     *
     * @param keys       fields of the packets of a batch.
     * @param k          position of the packet in the keys.
     * @param flowLabel  20 bits, hashed with the next header unless the ports are hashed.
     * @param byPorts    whether the ports are hashed, see {@link #isByPorts}.
     */
    public int ofIpv6(
        final AccessKeys keys, final int k, final int flowLabel, final int nextHeader, final boolean byPorts)
    {
        final long source = mix(mix(seed, keys.sourceHigh(k)), keys.sourceLow(k));
        final long both = mix(mix(source, keys.destinationHigh(k)), keys.destinationLow(k));
        return last(mix(both, byPorts ? transport(keys, k) : nextHeader << NEXT_HEADER_SHIFT | flowLabel));
    }

    /** Protocol and ports; 0 for a fragment and for a packet that is too short for its transport header. */
    private static long transport(final AccessKeys keys, final int k)
    {
        if (keys.state(k) != AccessKeys.WHOLE)
        {
            return 0;
        }
        final int protocol = keys.protocol(k);
        final int ports = !AccessRule.hasPorts(protocol) ? 0 :
            keys.sourcePort(k) << Short.SIZE | keys.destinationPort(k);
        return (long)protocol << Integer.SIZE | ports & 0xFFFF_FFFFL;
    }

    private static long mix(final long hash, final long word)
    {
        final long mixed = (hash ^ word) * FACTOR;
        return mixed ^ mixed >>> Integer.SIZE;
    }

    private static int last(final long hash)
    {
        final long mixed = hash * LAST_FACTOR;
        return (int)(mixed >>> Integer.SIZE ^ mixed >>> Integer.SIZE - 13);
    }
}
