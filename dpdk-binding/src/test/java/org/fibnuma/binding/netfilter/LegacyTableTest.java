package org.fibnuma.binding.netfilter;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Tables of struct ipt_entry (112 bytes) or struct ip6t_entry (168 bytes) with a struct xt_entry_target (32 bytes) and
 * what belongs to it (8).
 */
class LegacyTableTest
{
    private static final int ENTRY = 152;
    private static final int IPV6_ENTRY = 208;
    private static final int ACCEPT = -2;
    private static final int DROP = -1;
    private static final int RETURN = -5;

    private final ByteBuffer bytes = ByteBuffer.allocate(4096).order(ByteOrder.nativeOrder());

    @Test
    void shouldLetAnEmptyChainThatAcceptsBe()
    {
        verdict(ACCEPT);
        end();
        assertTrue(table().isHarmless(0, 0));
    }

    @Test
    void shouldFindAPolicy()
    {
        verdict(DROP);
        end();
        assertFalse(table().isHarmless(0, 0));
    }

    @Test
    void shouldLetRulesThatAcceptLogOrReturnBe()
    {
        verdict(ACCEPT);
        target("LOG", 0);
        verdict(RETURN);
        verdict(ACCEPT);
        end();
        assertTrue(table().isHarmless(0, 3 * ENTRY));
    }

    @Test
    void shouldFindARuleThatDropsBeforeThePolicy()
    {
        verdict(ACCEPT);
        verdict(DROP);
        verdict(ACCEPT);
        end();
        assertFalse(table().isHarmless(0, 2 * ENTRY));
        assertTrue(table().isHarmless(2 * ENTRY, 2 * ENTRY));
    }

    @Test
    void shouldFindATargetThatChangesPackets()
    {
        target("MASQUERADE", 0);
        verdict(ACCEPT);
        end();
        assertFalse(table().isHarmless(0, ENTRY));
    }

    @Test
    void shouldFollowJumps()
    {
        verdict(4 * ENTRY);
        verdict(ACCEPT);
        target("ERROR", 0);
        verdict(DROP);
        verdict(RETURN);
        end();
        assertTrue(table().isHarmless(0, ENTRY));
        bytes.putInt(112 + 32, 3 * ENTRY);
        assertFalse(table().isHarmless(0, ENTRY));
    }

    @Test
    void shouldEndWhereRulesJumpInACircle()
    {
        verdict(0);
        verdict(ACCEPT);
        end();
        assertTrue(table().isHarmless(0, ENTRY));
    }

    @Test
    void shouldNotTrustATableThatLeavesItself()
    {
        verdict(1 << 20);
        verdict(ACCEPT);
        assertFalse(table().isHarmless(0, ENTRY));
        assertFalse(table().isHarmless(-4, 0));
        bytes.putShort(88, (short)0xFFF0);
        assertFalse(table().isHarmless(0, ENTRY));
    }

    @Test
    void shouldReadTablesOfIpv6()
    {
        ipv6Target("", IPV6_ENTRY * 3);
        ipv6Target("LOG", 0);
        ipv6Target("", ACCEPT);
        ipv6Target("", RETURN);
        ipv6Target("ERROR", 0);
        final LegacyTable table =
            new LegacyTable(LegacyFamily.IPV6, new UnsafeBuffer(bytes.array()), 0, bytes.position());
        assertTrue(table.isHarmless(0, 2 * IPV6_ENTRY));
        bytes.putInt(3 * IPV6_ENTRY + 168 + 32, DROP);
        assertFalse(table.isHarmless(0, 2 * IPV6_ENTRY));
        assertTrue(table.isHarmless(IPV6_ENTRY, 2 * IPV6_ENTRY));
        assertTrue(table.isHarmless(4 * IPV6_ENTRY, 2 * IPV6_ENTRY));
        final LegacyTable truncated =
            new LegacyTable(LegacyFamily.IPV6, new UnsafeBuffer(bytes.array()), 0, 4 * IPV6_ENTRY + 167);
        assertFalse(truncated.isHarmless(4 * IPV6_ENTRY, 2 * IPV6_ENTRY));
    }

    private void ipv6Target(final String name, final int verdict)
    {
        target(name, verdict, 140, 168);
    }

    private void verdict(final int verdict)
    {
        target("", verdict);
    }

    private void end()
    {
        target("ERROR", 0);
    }

    private void target(final String name, final int verdict)
    {
        target(name, verdict, 88, 112);
    }

    private void target(final String name, final int verdict, final int offsets, final int entrySize)
    {
        final int entry = bytes.position();
        final int next = entrySize + 32 + 8;
        bytes.putShort(entry + offsets, (short)entrySize).putShort(entry + offsets + 2, (short)next);
        bytes.position(entry + entrySize + 2);
        bytes.put(name.getBytes(StandardCharsets.US_ASCII));
        bytes.putInt(entry + entrySize + 32, verdict);
        bytes.position(entry + next);
    }

    private LegacyTable table()
    {
        return new LegacyTable(LegacyFamily.IPV4, new UnsafeBuffer(bytes.array()), 0, bytes.position());
    }
}
