package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelMultipath;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.fibnic.adjacency.AdjacencyGroup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.stream.IntStream;

import static org.fibnuma.fibnic.rib.TestKernel.LEFT;
import static org.fibnuma.fibnic.rib.TestKernel.LEFT_MAC;
import static org.fibnuma.fibnic.rib.TestKernel.MANAGEMENT;
import static org.fibnuma.fibnic.rib.TestKernel.RIGHT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class MultipathRoutesTest
{
    private static final String PREFIX = "192.0.2.0/24";
    private static final String INSIDE = "192.0.2.7";
    private static final String A = "10.0.0.2@" + LEFT + "*1";
    private static final String B = "10.0.1.2@" + RIGHT + "*1";
    private static final String C = "10.0.0.3@" + LEFT + "*1";
    private static final String MAC = "02:00:00:00:07:01";
    private static final KernelMultipath.Resilience RESILIENCE = new KernelMultipath.Resilience(10, 8, 1000, 0);

    private final TestKernel kernel = TestKernel.startedWithIpv6();

    @AfterEach
    void close()
    {
        kernel.close();
    }

    @Test
    void shouldDivideBucketsByWeight()
    {
        kernel.multipath(PREFIX, null, "10.0.0.2@" + LEFT + "*3", B);
        assertEquals("GROUP", kernel.lookup(INSIDE));
        assertEquals("10.0.0.2 192, 10.0.1.2 64", kernel.members(INSIDE));
        assertTrue(kernel.adjacencies().hasGroups());
    }

    @Test
    void shouldShareAGroupAmongRoutesOfBothOrders()
    {
        kernel.multipath(PREFIX, null, A, B);
        kernel.multipath("198.51.100.0/24", null, B, A);
        kernel.multipath("2001:db8:f::/48", null, "2001:db8::2@" + LEFT + "*1", "2001:db8:1::2@" + RIGHT + "*1");
        assertEquals(kernel.adjacencyIndex(INSIDE), kernel.adjacencyIndex("198.51.100.1"));
        assertNotEquals(kernel.adjacencyIndex(INSIDE), kernel.adjacencyIndex("2001:db8:f::1"));
        assertEquals("2001:db8::2 128, 2001:db8:1::2 128", kernel.members("2001:db8:f::1"));
    }

    @Test
    void shouldLeaveOutAMemberWhoseNeighbourFailsUntilItAnswers()
    {
        kernel.neighbor(LEFT, "10.0.0.2", MAC);
        kernel.multipath(PREFIX, null, A, B);
        assertEquals("10.0.0.2 128, 10.0.1.2 128", kernel.members(INSIDE));
        final int[] before = buckets();
        kernel.neighborFailed(LEFT, "10.0.0.2");
        assertEquals("10.0.0.2 0, 10.0.1.2 256", kernel.members(INSIDE));
        kernel.neighborState(LEFT, "10.0.0.2", "00:00:00:00:00:00", KernelNeighbor.State.RESOLVING);
        kernel.neighborGone(LEFT, "10.0.0.2");
        assertEquals("10.0.0.2 0, 10.0.1.2 256", kernel.members(INSIDE));
        kernel.neighbor(LEFT, "10.0.0.2", MAC);
        assertEquals("10.0.0.2 128, 10.0.1.2 128", kernel.members(INSIDE));
        assertEquals(text(before), text(buckets()));
    }

    @Test
    void shouldLeaveOutAMemberOfANewRouteWhoseNeighbourHasFailed()
    {
        kernel.neighborFailed(LEFT, "10.0.0.2");
        kernel.multipath(PREFIX, null, A, B);
        assertEquals("10.0.0.2 0, 10.0.1.2 256", kernel.members(INSIDE));
    }

    @Test
    void shouldLeaveOutTheMembersOfALinkThatIsDown()
    {
        kernel.multipath(PREFIX, null, A, B, C);
        kernel.link(LEFT, "left", LEFT_MAC, 1500, false);
        assertEquals("10.0.0.2 0, 10.0.0.3 0, 10.0.1.2 256", kernel.members(INSIDE));
        kernel.link(LEFT, "left", LEFT_MAC, 1500, true);
        assertEquals("10.0.0.2 85, 10.0.0.3 85, 10.0.1.2 86", sorted(kernel.members(INSIDE)));
    }

    /** Two thirds of 256 are no whole number: which member has the one more does not matter. */
    private static String sorted(final String members)
    {
        return members.replace("10.0.0.2 86", "10.0.0.2 85").replace("10.0.0.3 86", "10.0.0.3 85")
            .replace("10.0.1.2 85", "10.0.1.2 86");
    }

    @Test
    void shouldUseAllMembersIfNoneCanBeUsed()
    {
        kernel.multipath(PREFIX, null, A, B);
        kernel.neighborFailed(LEFT, "10.0.0.2");
        kernel.neighborFailed(RIGHT, "10.0.1.2");
        assertEquals("10.0.0.2 128, 10.0.1.2 128", kernel.members(INSIDE));
    }

    @Test
    void shouldLeaveToTheKernelMembersOfItsInterfacesAndWithoutGateway()
    {
        kernel.multipath(PREFIX, null, A, "192.168.9.2@" + MANAGEMENT + "*1", "@" + RIGHT + "*2");
        final AdjacencyGroup group = group();
        final String kinds = IntStream.range(0, group.size())
            .mapToObj(member -> kernel.adjacencies().get(group.member(member)).kind().name()).sorted().toList()
            .toString();
        assertEquals("[KERNEL, PUNT, UNRESOLVED]", kinds);
        kernel.link(MANAGEMENT, "eth9", "02:00:00:00:00:99", 1500, false);
        assertEquals("10.0.0.2 85, :: 171, 192.168.9.2 0", kernel.members(INSIDE).replace("10.0.0.2 86", "10.0.0.2 85")
            .replace(":: 170", ":: 171"));
    }

    @Test
    void shouldTakeAnInterfaceThatBecomesAPort()
    {
        kernel.multipath(PREFIX, null, A, "10.0.5.2@20*1");
        kernel.linkGone(RIGHT, "right");
        kernel.link(20, "right", "02:00:00:00:00:20", 1500, true);
        kernel.tables().onPort(1, 20);
        final AdjacencyGroup group = group();
        assertEquals("[0, 1]", text(IntStream.range(0, 2).map(
            member -> kernel.adjacencies().get(group.member(member)).egressPort()).sorted().toArray()));
        assertEquals(128, IntStream.range(0, group.bucketCount())
            .filter(bucket -> group.adjacency(bucket) == group.member(1)).count());
    }

    @Test
    void shouldKeepTheFlowsOfWhatStaysInAResilientGroup()
    {
        kernel.multipath(PREFIX, RESILIENCE, A, B, C);
        kernel.multipath("198.51.100.0/24", RESILIENCE, A, B, C);
        final int[] before = buckets();
        final int gone = group().member(0);
        kernel.multipath(PREFIX, RESILIENCE, B, C);
        final int[] after = buckets();
        for (int bucket = 0; bucket < before.length; bucket++)
        {
            assertTrue(before[bucket] == gone ? after[bucket] != gone : after[bucket] == before[bucket], "" + bucket);
        }
        kernel.multipath("198.51.100.0/24", RESILIENCE, B, C);
        assertEquals(kernel.adjacencyIndex(INSIDE), kernel.adjacencyIndex("198.51.100.1"));
    }

    @Test
    void shouldGiveAReturningMemberOfAResilientGroupBucketsThatAreIdle()
    {
        kernel.multipath(PREFIX, RESILIENCE, A, B);
        kernel.tables().balanceGroups(10_000);
        kernel.neighborFailed(LEFT, "10.0.0.2");
        kernel.neighbor(LEFT, "10.0.0.2", MAC);
        assertEquals("10.0.0.2 0, 10.0.1.2 8", kernel.members(INSIDE));
        kernel.tables().balanceGroups(10_999);
        assertEquals("10.0.0.2 0, 10.0.1.2 8", kernel.members(INSIDE));
        for (int bucket = 2; bucket < 8; bucket++)
        {
            group().onUse(bucket, 10_999);
        }
        kernel.tables().balanceGroups(11_000);
        assertEquals("10.0.0.2 2, 10.0.1.2 6", kernel.members(INSIDE));
        kernel.tables().balanceGroups(11_999);
        assertEquals("10.0.0.2 4, 10.0.1.2 4", kernel.members(INSIDE));
    }

    @Test
    void shouldMoveBucketsInUseAfterTheUnbalancedTime()
    {
        kernel.multipath(PREFIX, new KernelMultipath.Resilience(10, 8, 100_000, 500), A, B);
        kernel.tables().balanceGroups(1000);
        kernel.neighborFailed(LEFT, "10.0.0.2");
        kernel.neighbor(LEFT, "10.0.0.2", MAC);
        kernel.tables().balanceGroups(2000);
        kernel.tables().balanceGroups(2499);
        assertEquals("10.0.0.2 0, 10.0.1.2 8", kernel.members(INSIDE));
        kernel.tables().balanceGroups(2500);
        assertEquals("10.0.0.2 4, 10.0.1.2 4", kernel.members(INSIDE));
    }

    @Test
    void shouldReuseNoIndexThatAWorkerMayHold()
    {
        try (var reader = kernel.epochs().register())
        {
            kernel.multipath(PREFIX, null, A, B);
            final int index = kernel.adjacencyIndex(INSIDE);
            final int member = group().member(0);
            kernel.route("via", PREFIX, "10.0.0.9", LEFT);
            kernel.route("via", "198.51.100.0/24", "10.0.0.10", LEFT);
            assertEquals(0, kernel.epochs().reclaim());
            assertTrue(kernel.adjacencies().hasGroups());
            assertNotEquals(index, kernel.adjacencyIndex("198.51.100.1"));
            assertNotEquals(member, kernel.adjacencyIndex("198.51.100.1"));
            reader.quiesce();
            assertTrue(kernel.epochs().reclaim() >= 3, "group and members");
            assertFalse(kernel.adjacencies().hasGroups());
        }
    }

    private AdjacencyGroup group()
    {
        return kernel.adjacencies().get(kernel.adjacencyIndex(INSIDE)).group();
    }

    private int[] buckets()
    {
        return IntStream.range(0, group().bucketCount()).map(group()::adjacency).toArray();
    }

    private static String text(final int[] buckets)
    {
        return IntStream.of(buckets).boxed().toList().toString();
    }
}
