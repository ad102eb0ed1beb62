package org.fibnuma.fibnic.acl;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class AccessCheckTest
{
    private static AccessRule rule(
        final AccessAction action, final String source, final int protocol, final int first, final int last)
    {
        return new AccessRule(
            true, true, source == null ? null : IpPrefix.parse(source), null, protocol, PortRange.ANY,
            new PortRange(first, last), 0, 0, AccessRule.ANY, FragmentMatch.ANY, action, 0);
    }

    private static List<String> findings(final AccessAction defaultAction, final AccessRule... rules)
    {
        final AccessCheck check = new AccessCheck(new AccessList("list", List.of(rules), defaultAction));
        assertTrue(check.isExact());
        return check.findings().stream().map(AccessCheck.Finding::text).toList();
    }

    @Test
    void shouldFindNothingWrongWithAGoodList()
    {
        assertEquals(List.of(), findings(AccessAction.DENY,
            rule(AccessAction.DENY, "10.0.0.0/9", 6, 22, 22), rule(AccessAction.PERMIT, "10.0.0.0/8", 6, 0, 65_535)));
    }

    @Test
    void shouldFindARuleThatAnEarlierOneCovers()
    {
        assertEquals(List.of("rule 2 is unreachable: rule 1 matches all its packets"), findings(AccessAction.PERMIT,
            rule(AccessAction.DENY, "10.0.0.0/8", 6, 0, 65_535),
            rule(AccessAction.PROHIBIT, "10.1.0.0/16", 6, 22, 23)));
    }

    @Test
    void shouldFindARuleThatSeveralCoverTogether()
    {
        assertEquals(
            List.of("rule 3 is unreachable: the rules before it together match all its packets"),
            findings(AccessAction.PERMIT,
                rule(AccessAction.DENY, "10.0.0.0/9", 6, 0, 65_535),
                rule(AccessAction.DENY, "10.128.0.0/9", 6, 0, 65_535),
                rule(AccessAction.PROHIBIT, "10.0.0.0/8", 6, 22, 23)));
    }

    /** Later fragments have no ports: all ports together do not cover a rule without ports. */
    @Test
    void shouldKnowThatPortsDoNotCoverFragments()
    {
        assertEquals(List.of(), findings(AccessAction.PERMIT,
            rule(AccessAction.DENY, null, 17, 0, 32_767), rule(AccessAction.DENY, null, 17, 32_768, 65_535),
            rule(AccessAction.PROHIBIT, null, 17, 0, 65_535)));
    }

    @Test
    void shouldFindRedundantRules()
    {
        assertEquals(
            List.of("rule 1 is redundant: the rules after it and the default do the same with its packets",
                "rule 3 is redundant: the rules after it and the default do the same with its packets"),
            findings(AccessAction.DENY,
                rule(AccessAction.PERMIT, "10.1.0.0/16", 6, 80, 80), rule(AccessAction.PERMIT, "10.0.0.0/8", 6, 80, 90),
                rule(AccessAction.DENY, "2001:db8::/32", 17, 1, 5)));
    }

    /** A rule that only counts decides nothing. */
    @Test
    void shouldNotTakeCountingForDeciding()
    {
        assertEquals(List.of("rule 3 is unreachable: rule 2 matches all its packets"), findings(AccessAction.DENY,
            AccessRule.all(AccessAction.COUNT), rule(AccessAction.PERMIT, "10.0.0.0/8", AccessRule.ANY, 0, 65_535),
            rule(AccessAction.COUNT, "10.0.0.0/9", AccessRule.ANY, 0, 65_535)));
    }

    /** Against every packet that rules of these conditions can tell apart. */
    @Test
    void shouldAgreeWithEveryPacketOfASmallWorld()
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        for (int round = 0; round < 300; round++)
        {
            final List<AccessRule> rules = new ArrayList<>();
            for (int i = 0; i < 6; i++)
            {
                final int first = random.nextInt(3);
                final boolean isAny = random.nextInt(3) == 0;
                rules.add(rule(
                    random.nextBoolean() ? AccessAction.PERMIT : AccessAction.DENY,
                    "10.0.0.0/" + (30 + random.nextInt(3)), random.nextBoolean() ? 6 : 17,
                    isAny ? 0 : first, isAny || first == 2 ? 65_535 : first));
            }
            final AccessList list = new AccessList("list", rules, AccessAction.DENY);
            final List<AccessCheck.Finding> findings = new AccessCheck(list).findings();
            for (int i = 0; i < rules.size(); i++)
            {
                final int rule = i;
                final boolean isDeciding = world().stream().anyMatch(packet -> list.deciding(packet) == rule);
                final List<AccessRule> others = new ArrayList<>(rules);
                others.remove(rule);
                final AccessList without = new AccessList("without", others, AccessAction.DENY);
                final boolean isNeeded = world().stream().anyMatch(packet ->
                    list.actionOf(list.deciding(packet)) != without.actionOf(without.deciding(packet)));
                assertEquals(!isDeciding,
                    findings.stream().anyMatch(finding -> finding.rule() == rule && finding.unreachable()),
                    () -> rules + " rule " + rule + " seed " + seed);
                assertEquals(isDeciding && !isNeeded,
                    findings.stream().anyMatch(finding -> finding.rule() == rule && !finding.unreachable()),
                    () -> rules + " rule " + rule + " seed " + seed);
            }
        }
    }

    private static List<AccessPacket> world()
    {
        final List<AccessPacket> packets = new ArrayList<>();
        for (int n = 0; n < 5 * 3 * 2 * 2; n++)
        {
            final boolean isLater = n % 2 == 1;
            packets.add(new AccessPacket(
                IpAddress.parse("10.0.0." + n / 12), IpAddress.parse("192.0.2.1"), n / 2 % 2 == 0 ? 6 : 17, 0,
                isLater ? 0 : n / 4 % 3, 0, 0, isLater ? AccessKeys.LATER_FRAGMENT : AccessKeys.WHOLE));
        }
        return packets;
    }
}
