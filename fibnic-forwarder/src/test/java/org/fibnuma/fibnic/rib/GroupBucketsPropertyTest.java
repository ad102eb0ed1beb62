package org.fibnuma.fibnic.rib;

import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.fibnic.adjacency.AdjacencyGroup;
import org.fibnuma.fibnic.multipath.Flow;
import org.fibnuma.fibnic.multipath.FlowHash;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class GroupBucketsPropertyTest
{
    private static final int FLOWS = 100_000;
    private static final int BUCKETS = 128;

    /** Within 2 % of the share, and four standard deviations of a fair draw. */
    @Property(tries = 25, edgeCases = EdgeCasesMode.NONE)
    void shouldDivideFlowsByWeight(
        @ForAll @Size(min = 2, max = 16) final List<@IntRange(min = 1, max = 40) Integer> weights,
        @ForAll final long seed,
        @ForAll final boolean ipv6,
        @ForAll final boolean byPorts,
        @ForAll final boolean oneDestination)
    {
        final int[] array = array(weights);
        final int[] members = IntStream.range(0, array.length).toArray();
        final AdjacencyGroup group = new AdjacencyGroup(members, array, GroupBuckets.of(array).holders(), null);
        final FlowHash hash = new FlowHash(seed);
        hash.byPorts(ipv6, byPorts);
        final int[] counts = new int[array.length];
        for (int i = 0; i < FLOWS; i++)
        {
            counts[group.adjacency(group.bucket(hash.of(flow(i, ipv6, byPorts, oneDestination))))]++;
        }
        final double sum = Arrays.stream(array).sum();
        for (int member = 0; member < counts.length; member++)
        {
            final double expected = FLOWS * array[member] / sum;
            assertEquals(
                expected, counts[member], 0.02 * expected + 4 * Math.sqrt(expected),
                "member " + member + " of weights " + weights);
        }
    }

    /** Hosts in a row to a server, by ports or by addresses: regular flows, as real ones are. */
    private static Flow flow(final int i, final boolean ipv6, final boolean byPorts, final boolean oneDestination)
    {
        final int host = byPorts ? i / 1000 : i;
        final int port = byPorts ? 1024 + i % 1000 : 5000;
        final int server = oneDestination ? 1 : i % 50;
        return ipv6 ?
            new Flow(
                new IpAddress(0x2001_0DB8_0000_0000L, host), new IpAddress(0x2001_0DB8_0001_0000L, server),
                IpProtocol.TCP, port, 443, 0) :
            new Flow(
                IpAddress.of(0x0A00_0000 + host), IpAddress.of(0xC000_0200 + server), IpProtocol.TCP, port, 443, 0);
    }

    @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
    void shouldMoveOnlyBucketsOfMembersThatFailAndGiveThemBack(
        @ForAll @Size(min = 2, max = 9) final List<@IntRange(min = 1, max = 20) Integer> weights,
        @ForAll final long seed)
    {
        final Random random = new Random(seed);
        final int[] array = array(weights);
        final GroupBuckets buckets = GroupBuckets.of(array);
        final int[] original = buckets.holders().clone();
        for (int change = 0; change < 8; change++)
        {
            final boolean[] usable = usable(random, array.length);
            buckets.update(usable);
            final int[] now = buckets.holders();
            for (int bucket = 0; bucket < now.length; bucket++)
            {
                assertTrue(usable[now[bucket]], "a member that failed has bucket " + bucket);
                assertTrue(!usable[original[bucket]] || now[bucket] == original[bucket], "bucket " + bucket);
            }
            assertShares(array, usable, now);
        }
        final boolean[] all = new boolean[array.length];
        Arrays.fill(all, true);
        buckets.update(all);
        assertArrayEquals(original, buckets.holders());
    }

    @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
    void shouldMoveOnlyBucketsOfWhatWentInAResilientGroup(
        @ForAll @Size(min = 2, max = 9) final List<@IntRange(min = 1, max = 20) Integer> weights,
        @ForAll final long seed)
    {
        final Random random = new Random(seed);
        final int[] array = array(weights);
        final GroupBuckets buckets = GroupBuckets.resilient(array, GroupBuckets.free(BUCKETS));
        for (int change = 0; change < 8; change++)
        {
            final int[] before = buckets.holders().clone();
            final boolean[] usable = usable(random, array.length);
            assertEquals(
                Arrays.stream(before).anyMatch(holder -> !usable[holder]), buckets.update(usable), "has moved");
            for (int bucket = 0; bucket < BUCKETS; bucket++)
            {
                assertTrue(usable[buckets.holders()[bucket]], "a member that failed has bucket " + bucket);
                assertTrue(
                    !usable[before[bucket]] || before[bucket] == buckets.holders()[bucket], "bucket " + bucket);
            }
            assertBalances(random, buckets, array, usable);
        }
    }

    private static void assertBalances(
        final Random random, final GroupBuckets buckets, final int[] weights, final boolean[] usable)
    {
        final boolean[] busy = usable(random, BUCKETS);
        final int[] before = buckets.holders().clone();
        buckets.balance(bucket -> !busy[bucket]);
        for (int bucket = 0; bucket < BUCKETS; bucket++)
        {
            assertTrue(!busy[bucket] || before[bucket] == buckets.holders()[bucket], "busy bucket " + bucket);
        }
        buckets.balance(bucket -> true);
        assertShares(weights, usable, buckets.holders());
        assertFalse(buckets.isUnbalanced());
        assertFalse(buckets.balance(bucket -> true), "balanced already");
    }

    /** Each member has its share, rounded up or down. */
    private static void assertShares(final int[] weights, final boolean[] usable, final int[] holders)
    {
        double sum = 0;
        for (int member = 0; member < weights.length; member++)
        {
            sum += usable[member] ? weights[member] : 0;
        }
        for (int member = 0; member < weights.length; member++)
        {
            final int wanted = member;
            final double share = usable[member] ? holders.length * weights[member] / sum : 0;
            final long count = Arrays.stream(holders).filter(holder -> holder == wanted).count();
            assertTrue(Math.abs(share - count) < 1, "share " + share + " but " + count + " buckets");
        }
    }

    private static boolean[] usable(final Random random, final int count)
    {
        final boolean[] usable = new boolean[count];
        for (int i = 0; i < count; i++)
        {
            usable[i] = random.nextInt(3) > 0;
        }
        usable[random.nextInt(count)] = true;
        return usable;
    }

    private static int[] array(final List<Integer> weights)
    {
        return weights.stream().mapToInt(Integer::intValue).toArray();
    }
}
