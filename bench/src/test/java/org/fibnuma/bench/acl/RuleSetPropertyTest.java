package org.fibnuma.bench.acl;

import org.fibnuma.fibnic.acl.AccessAction;
import org.fibnuma.fibnic.acl.AccessKeys;
import org.fibnuma.fibnic.acl.AccessList;
import org.fibnuma.fibnic.acl.AccessLists;
import org.fibnuma.fibnic.acl.AccessPacket;
import org.fibnuma.fibnic.acl.AccessRule;
import org.fibnuma.fibnic.acl.ActiveList;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Generated rule sets of every shape and size: each decision is that of the rules compared one by one. */
class RuleSetPropertyTest
{
    private static final long MOST_BYTES = 200_000_000;

    @ParameterizedTest
    @CsvSource({
        "ACL,10,4000", "ACL,100,4000", "ACL,1000,4000", "ACL,10000,2000",
        "FW,10,4000", "FW,100,4000", "FW,1000,4000", "FW,10000,2000",
        "IPC,10,4000", "IPC,100,4000", "IPC,1000,4000", "IPC,10000,2000"})
    void shouldDecideAsTheRulesOneByOne(
        final RuleShape shape, final int count, final int packets, final TestReporter reporter)
    {
        final long seed = System.nanoTime();
        for (final boolean isIpv6 : new boolean[]{false, true})
        {
            final RuleGenerator generator = new RuleGenerator(shape, isIpv6, seed, null);
            final List<AccessRule> rules = generator.rules(count, AccessAction.PERMIT);
            final AccessList list = new AccessList("list", rules, AccessAction.DENY);
            final ActiveList active = new AccessLists(List.of(list), List.of(), List.of(), 1).lists().get(0);
            final AccessKeys keys = new AccessKeys();
            final Random random = new Random(seed);
            int decided = 0;
            for (int i = 0; i < packets; i++)
            {
                final AccessRule near = rules.get(random.nextInt(count));
                final AccessPacket packet = i % 2 == 0 ? generator.packet(near) : generator.cornerPacket(near);
                final int expected = list.deciding(packet);
                assertEquals(expected, active.deciding(packet, keys), () -> packet + " seed " + seed);
                decided += expected < count ? 1 : 0;
            }
            assertTrue(decided >= packets / 2, decided + " of " + packets + " are decided by rules");
            assertTrue(active.bytes() < MOST_BYTES, active.bytes() + " bytes");
            reporter.publishEntry(
                shape + " " + count + (isIpv6 ? " IPv6" : " IPv4") + " table bytes", String.valueOf(active.bytes()));
        }
    }
}
