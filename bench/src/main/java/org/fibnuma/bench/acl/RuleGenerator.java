package org.fibnuma.bench.acl;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.fibnic.acl.AccessAction;
import org.fibnuma.fibnic.acl.AccessKeys;
import org.fibnuma.fibnic.acl.AccessPacket;
import org.fibnuma.fibnic.acl.AccessRule;
import org.fibnuma.fibnic.acl.FragmentMatch;
import org.fibnuma.fibnic.acl.PortRange;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Generates rules of a {@link RuleShape} and packets that meet them. The same seed gives the same rules. Several rules
 * have the same prefixes, some of which contain others, as in real lists.
 */
public final class RuleGenerator
{
    private static final int PERCENT = 100;
    private static final int[] SERVICES =
        {20, 21, 22, 23, 25, 53, 67, 80, 110, 123, 143, 161, 389, 443, 445, 993, 1433, 1521, 3306, 5060, 6000, 8080};
    private static final PortRange[] RANGES = {
        new PortRange(1024, 65_535), new PortRange(0, 1023), new PortRange(49_152, 65_535),
        new PortRange(135, 139), new PortRange(5000, 5060), new PortRange(33_434, 33_534)};
    /** A new prefix for every third rule; the others use one again. */
    private static final int USES = 3;

    private final RuleShape shape;
    private final boolean isIpv6;
    private final SplittableRandom random;
    private final Supplier<IpAddress> destinations;
    private final List<IpPrefix> sourcePool = new ArrayList<>();
    private final List<IpPrefix> destinationPool = new ArrayList<>();

    /**
     * Creates a generator.
     *
     * @param shape        of the rules.
     * @param isIpv6       family of the rules.
     * @param seed         of the generator.
     * @param destinations addresses in the prefixes of destinations, null for any.
     */
    public RuleGenerator(
        final RuleShape shape, final boolean isIpv6, final long seed, final Supplier<IpAddress> destinations)
    {
        this.shape = shape;
        this.isIpv6 = isIpv6;
        random = new SplittableRandom(seed);
        this.destinations = destinations == null ? this::address : destinations;
    }

    private boolean chance(final int percent)
    {
        return random.nextInt(PERCENT) < percent;
    }

    private IpAddress address()
    {
        return isIpv6 ?
            new IpAddress(0x2001_0DB8_0000_0000L | random.nextInt(64) << 16 | random.nextInt(4), random.nextLong()) :
            IpAddress.of(random.nextInt(11, 200) << 24 | random.nextInt(1 << 24));
    }

    /**
     * Generates rules.
     *
     * @param count  number of rules.
     * @param action of all rules.
     * @return rules in their order, the more specific ones first on average.
     */
    public List<AccessRule> rules(final int count, final AccessAction action)
    {
        final List<AccessRule> rules = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            rules.add(rule(action));
        }
        return rules;
    }

    private AccessRule rule(final AccessAction action)
    {
        final int kind = random.nextInt(PERCENT);
        final int protocol = kind < 65 ? IpProtocol.TCP : kind < 85 ? IpProtocol.UDP :
            kind < 92 ? isIpv6 ? IpProtocol.ICMPV6 : IpProtocol.ICMP : AccessRule.ANY;
        final boolean hasPorts = AccessRule.hasPorts(protocol);
        return new AccessRule(
            !isIpv6, isIpv6,
            chance(shape.sourceAny) ? null : prefix(sourcePool, this::address),
            chance(shape.destinationAny) ? null : prefix(destinationPool, destinations),
            protocol,
            hasPorts && chance(shape.sourcePorts) ? ports() : PortRange.ANY,
            hasPorts && chance(shape.destinationPorts) ? ports() : PortRange.ANY,
            0, 0, AccessRule.ANY, FragmentMatch.ANY, action, 0);
    }

    private IpPrefix prefix(final List<IpPrefix> pool, final Supplier<IpAddress> addresses)
    {
        if (pool.isEmpty() || random.nextInt(USES) == 0)
        {
            final IpAddress within = !pool.isEmpty() && random.nextInt(4) == 0 ?
                pool.get(random.nextInt(pool.size())).first() : addresses.get();
            final int longest = isIpv6 ? 64 : Integer.SIZE;
            final int shortest = isIpv6 ? 2 * shape.shortest : shape.shortest;
            final int length = random.nextInt(3) == 0 ? isIpv6 ? Ipv6Address.BITS : longest :
                Math.min(longest, random.nextInt(shortest, longest + 1));
            pool.add(IpPrefix.of(within, length));
            return pool.get(pool.size() - 1);
        }
        return pool.get(random.nextInt(pool.size()));
    }

    private PortRange ports()
    {
        return chance(shape.exactPorts) ? PortRange.of(chance(PERCENT / 2) ?
            SERVICES[random.nextInt(SERVICES.length)] : random.nextInt(1, 1 << 16)) :
            RANGES[random.nextInt(RANGES.length)];
    }

    /** Returns a whole packet that matches a rule; an earlier rule may match it, too. */
    public AccessPacket packet(final AccessRule rule)
    {
        final int protocol = rule.protocol() == AccessRule.ANY ? IpProtocol.UDP : rule.protocol();
        return new AccessPacket(
            rule.source() == null ? address() : within(rule.source()),
            rule.destination() == null ? destinations.get() : within(rule.destination()),
            protocol,
            AccessRule.hasPorts(protocol) ? within(rule.sourcePorts()) : 8,
            AccessRule.hasPorts(protocol) ? within(rule.destinationPorts()) : 0,
            0, 0, AccessKeys.WHOLE);
    }

    private int within(final PortRange range)
    {
        return random.nextInt(range.first(), range.last() + 1);
    }

    private IpAddress within(final IpPrefix prefix)
    {
        final IpAddress last = prefix.last();
        final IpAddress first = prefix.first();
        return new IpAddress(
            first.high() | random.nextLong() & (last.high() ^ first.high()),
            first.low() | random.nextLong() & (last.low() ^ first.low()));
    }

    /** Returns a packet with some fields at the corners of a rule, others beside them. */
    public AccessPacket cornerPacket(final AccessRule rule)
    {
        final AccessPacket inside = packet(rule);
        return new AccessPacket(
            corner(rule.source(), inside.source()), corner(rule.destination(), inside.destination()),
            inside.protocol(),
            corner(rule.sourcePorts(), inside.sourcePort()), corner(rule.destinationPorts(), inside.destinationPort()),
            0, 0, inside.state());
    }

    private int corner(final PortRange range, final int inside)
    {
        final int choice = random.nextInt(5);
        final int port = choice == 0 ? range.first() : choice == 1 ? range.last() :
            choice == 2 ? range.first() - 1 : choice == 3 ? range.last() + 1 : inside;
        return Math.max(0, Math.min(PortRange.ANY.last(), port));
    }

    private IpAddress corner(final IpPrefix prefix, final IpAddress inside)
    {
        if (prefix == null)
        {
            return inside;
        }
        final int choice = random.nextInt(5);
        final IpAddress corner = choice % 2 == 0 ? prefix.first() : prefix.last();
        final int step = choice < 2 ? 0 : choice == 2 ? -1 : choice == 3 ? 1 : 0;
        return isIpv6 ? new IpAddress(corner.high(), corner.low() + step) : IpAddress.of(corner.ipv4() + step);
    }
}
