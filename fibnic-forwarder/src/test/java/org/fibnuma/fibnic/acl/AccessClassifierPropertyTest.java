package org.fibnuma.fibnic.acl;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv6Address;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The matches of random rules up to the one that decides, against their comparison one by one, with tables of all sizes
 * and without them.
 */
class AccessClassifierPropertyTest
{
    private static final int PACKETS = 3000;
    private static final int[] PROTOCOLS = {1, 6, 17, 58, 132, 47};
    private static final int[] PORTS = {0, 1, 22, 53, 80, 443, 1023, 1024, 5000, 65_534, 65_535};
    private static final int[] LENGTHS_IPV4 = {0, 1, 7, 8, 15, 16, 17, 24, 31, 32};
    private static final int[] LENGTHS_IPV6 = {0, 1, 15, 16, 17, 32, 48, 63, 64, 65, 96, 127, 128};

    private Random random;
    private final AccessKeys keys = new AccessKeys();

    @ParameterizedTest
    @CsvSource({
        "false,0,1048576,2097152", "false,1,1048576,2097152", "false,2,1048576,2097152", "false,70,1048576,2097152",
        "false,300,1048576,2097152", "false,300,1048576,0", "false,300,600,0", "false,300,0,0", "false,5000,0,0",
        "true,1,1048576,2097152", "true,70,1048576,2097152", "true,300,1048576,2097152", "true,300,1048576,0",
        "true,300,600,0", "true,300,0,0", "true,5000,0,0"})
    void shouldFindTheMatchesThatTheRulesThemselvesFind(
        final boolean isIpv6, final int count, final int maxPairs, final int maxResults)
    {
        final long seed = System.nanoTime();
        random = new Random(seed);
        final List<AccessRule> rules = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            rules.add(rule(isIpv6));
        }
        final AccessClassifier classifier = AccessClassifier.of(rules, isIpv6, maxPairs, maxResults);
        int matches = 0;
        for (int p = 0; p < PACKETS; p++)
        {
            final AccessPacket packet = packet(rules, isIpv6);
            final int k = random.nextInt(3);
            keys.put(k, packet);
            classifier.classify(keys, k + 1);
            int rule = keys.rules[k];
            boolean isDecided = false;
            for (int expected = 0; expected < count && !isDecided; expected++)
            {
                if (rules.get(expected).matches(packet))
                {
                    assertEquals(expected, rule, () -> packet + " seed " + seed);
                    isDecided = rules.get(expected).action() != AccessAction.COUNT;
                    rule = isDecided ? rule : classifier.next(keys, k, rule + 1);
                    matches++;
                }
            }
            assertTrue(isDecided || count == rule, () -> packet + " seed " + seed);
        }
        // The packets near one rule may match it seldom.
        assertTrue(count < 70 || matches > PACKETS / 10, matches + " matches, seed " + seed);
    }

    private AccessRule rule(final boolean isIpv6)
    {
        final int protocol = random.nextBoolean() ? AccessRule.ANY : PROTOCOLS[random.nextInt(PROTOCOLS.length)];
        final boolean hasPorts = AccessRule.hasPorts(protocol) || AccessRule.isIcmp(protocol);
        final int mask = protocol == 6 && random.nextInt(3) == 0 ? random.nextInt(256) : 0;
        return new AccessRule(
            !isIpv6, isIpv6, prefix(isIpv6), prefix(isIpv6), protocol,
            hasPorts ? range() : PortRange.ANY, hasPorts ? range() : PortRange.ANY,
            mask, random.nextInt(256) & mask,
            random.nextInt(5) == 0 ? random.nextInt(64) : AccessRule.ANY,
            random.nextInt(4) == 0 ? FragmentMatch.values()[random.nextInt(4)] : FragmentMatch.ANY,
            random.nextInt(3) == 0 ? AccessAction.PERMIT : AccessAction.COUNT, 0);
    }

    private IpPrefix prefix(final boolean isIpv6)
    {
        if (random.nextInt(4) == 0)
        {
            return null;
        }
        return isIpv6 ?
            IpPrefix.of(address(true), LENGTHS_IPV6[random.nextInt(LENGTHS_IPV6.length)]) :
            IpPrefix.of(address(false), LENGTHS_IPV4[random.nextInt(LENGTHS_IPV4.length)]);
    }

    /** Of few values in each part, so that prefixes are in each other, and of the highest and lowest. */
    private IpAddress address(final boolean isIpv6)
    {
        final long[] halves = {0, -1, 0x2001_0DB8_0000_0000L, 0x2001_0DB8_0001_0001L, Long.MIN_VALUE, 1};
        final int[] words = {0, -1, 0x0A00_0001, 0x0A00_FFFF, 0xC0A8_0101, Integer.MIN_VALUE};
        if (isIpv6)
        {
            final long high = halves[random.nextInt(halves.length)] ^ random.nextInt(2);
            final long low = halves[random.nextInt(halves.length)] ^ random.nextInt(4);
            // An IPv4-mapped address would be taken for IPv4.
            return Ipv6Address.isIpv4Mapped(high, low) ? new IpAddress(1, low) : new IpAddress(high, low);
        }
        return IpAddress.of(words[random.nextInt(words.length)] ^ random.nextInt(4) << random.nextInt(17));
    }

    private PortRange range()
    {
        final int one = PORTS[random.nextInt(PORTS.length)];
        final int other = PORTS[random.nextInt(PORTS.length)];
        return random.nextBoolean() ? PortRange.ANY : new PortRange(Math.min(one, other), Math.max(one, other));
    }

    /** Half of them at the corners of a rule, one value beside them at times. */
    private AccessPacket packet(final List<AccessRule> rules, final boolean isIpv6)
    {
        final int[] states = {
            AccessKeys.WHOLE, AccessKeys.FIRST_FRAGMENT, AccessKeys.LATER_FRAGMENT,
            AccessKeys.WHOLE | AccessKeys.NO_TRANSPORT, AccessKeys.FIRST_FRAGMENT | AccessKeys.NO_TRANSPORT};
        final AccessRule near = rules.isEmpty() ? AccessRule.all(AccessAction.PERMIT) :
            rules.get(random.nextInt(rules.size()));
        final int protocol = near.protocol() == AccessRule.ANY ? PROTOCOLS[random.nextInt(6)] : near.protocol();
        final int state = states[random.nextInt(8) % states.length];
        final boolean hasTransport = state < AccessKeys.LATER_FRAGMENT;
        return new AccessPacket(
            near(near.source(), isIpv6), near(near.destination(), isIpv6), protocol,
            hasTransport ? near(near.sourcePorts()) : 0, hasTransport ? near(near.destinationPorts()) : 0,
            hasTransport && protocol == 6 ? near.tcpFlags() ^ random.nextInt(4) * random.nextInt(64) : 0,
            near.dscp() == AccessRule.ANY ? random.nextInt(64) : near.dscp(), state);
    }

    private IpAddress near(final IpPrefix prefix, final boolean isIpv6)
    {
        if (prefix == null || random.nextInt(6) == 0)
        {
            return address(isIpv6);
        }
        final IpAddress corner = random.nextBoolean() ? prefix.first() : prefix.last();
        final int step = random.nextInt(4) == 0 ? random.nextInt(3) - 1 : 0;
        if (!isIpv6)
        {
            return IpAddress.of(corner.ipv4() + step);
        }
        final IpAddress moved = new IpAddress(corner.high(), corner.low() + step);
        return moved.isIpv4() ? corner : moved;
    }

    private int near(final PortRange range)
    {
        final int corner = random.nextBoolean() ? range.first() : range.last();
        return Math.max(0, Math.min(65_535, corner + random.nextInt(3) - 1));
    }

    @Test
    void shouldNotMatchARuleThatNoPacketCanMatch()
    {
        final AccessRule rule = new AccessRule(
            true, false, null, null, AccessRule.ANY, new PortRange(1, 2), PortRange.ANY, 0, 0,
            AccessRule.ANY, FragmentMatch.LATER, AccessAction.DENY, 0);
        final AccessClassifier classifier = AccessClassifier.of(List.of(rule), false, 100, 100);
        keys.put(0, new AccessPacket(IpAddress.of(1), IpAddress.of(2), 17, 1, 1, 0, 0, AccessKeys.FIRST_FRAGMENT));
        classifier.classify(keys, 1);
        assertEquals(1, keys.rules[0]);
    }

    /** The notation of the families is that of the core module. */
    @ParameterizedTest
    @CsvSource({"255.255.255.255", "128.0.0.0", "0.0.0.0"})
    void shouldMatchTheHighestAndLowestAddress(final String text)
    {
        final int address = Ipv4Address.parse(text);
        final AccessRule rule = new AccessRule(
            true, false, IpPrefix.of(address, 32), null, AccessRule.ANY, PortRange.ANY, PortRange.ANY, 0, 0,
            AccessRule.ANY, FragmentMatch.ANY, AccessAction.DENY, 0);
        final AccessClassifier classifier = AccessClassifier.of(List.of(rule), false, 100, 100);
        for (int step = -1; step <= 1; step++)
        {
            keys.put(0, new AccessPacket(IpAddress.of(address + step), IpAddress.of(1), 17, 1, 1, 0, 0, 0));
            classifier.classify(keys, 1);
            assertEquals(step == 0 ? 0 : 1, keys.rules[0]);
        }
    }
}
