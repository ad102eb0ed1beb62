package org.fibnuma.fibnic.datapath;

import com.sun.management.ThreadMXBean;
import org.fibnuma.core.flow.FlowMemory;
import org.fibnuma.core.flow.FlowTable;
import org.fibnuma.core.flow.FlowTuple;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.kernel.InterfacePolicy;
import org.fibnuma.core.kernel.ReversePath;
import org.fibnuma.core.kernel.Transit;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.acl.AccessAction;
import org.fibnuma.fibnic.acl.AccessList;
import org.fibnuma.fibnic.acl.AccessLists;
import org.fibnuma.fibnic.acl.AccessRule;
import org.fibnuma.fibnic.acl.AccessTable;
import org.fibnuma.fibnic.acl.FragmentMatch;
import org.fibnuma.fibnic.acl.PortRange;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyGroup;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.rate.RateLimit;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A million frames, among them one of each kind that takes an exit, and not one byte allocated. */
class AllocationTest
{
    private static final int FRAMES = 1_000_000;
    private static final int BATCH = 50;
    // Classes load and the JIT deoptimizes now and then at first, which allocates a little; what the pipeline itself
    // allocated would show in every attempt, since each has the same traffic.
    private static final int ATTEMPTS = 6;
    /** The stages of one batch in so many are timed. */
    private static final int SAMPLED = 5;
    private static final int ROOM = 2048;

    /** Index of the first IPv6 frame, an ordinary one, among the kinds. */
    private static final int FIRST_IPV6_KIND = 15;
    private static final int GROUP = 140;

    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final FrameBatch host = new FrameBatch();

    @Test
    void shouldAllocateNothing()
    {
        final byte[][] kinds = {
            TestFrame.ipv4().payload(26).bytes(),
            TestFrame.ipv4().payload(6).padding(20).bytes(),
            TestFrame.ipv4().ttl(1).payload(26).bytes(),
            TestFrame.ipv4().checksum(1).payload(26).bytes(),
            TestFrame.ipv4().options("94040000").payload(1600).bytes(),
            TestFrame.ipv4().flagsAndOffset(0x4000).payload(1600).bytes(),
            TestFrame.ipv4().destination("10.0.1.99").bytes(),
            TestFrame.ipv4().destination("198.51.100.1").bytes(),
            TestFrame.ipv4().destination("10.0.0.1").bytes(),
            TestFrame.ipv4().source("127.0.0.1").bytes(),
            TestFrame.ipv4().etherType(0x0806).bytes(),
            TestFrame.ipv4().options("07070400000000" + "01" + "4408050000000000").payload(26).bytes(),
            TestFrame.ipv4().options("07070100000000" + "01").payload(26).bytes(),
            TestFrame.ipv4().source("10.0.0.1").bytes(),
            TestFrame.ipv4().source("10.0.0.7").destination("10.0.0.2").bytes(),
            TestFrame6.ipv6().payload(26).bytes(),
            TestFrame6.ipv6().payload(6).padding(20).bytes(),
            TestFrame6.ipv6().hopLimit(1).payload(26).bytes(),
            TestFrame6.ipv6().payload(1600).bytes(),
            TestFrame6.ipv6().destination("2001:db8:1::99").bytes(),
            TestFrame6.ipv6().destination("2001:db8:99::1").bytes(),
            TestFrame6.ipv6().destination("2001:db8:0::1").bytes(),
            TestFrame6.ipv6().source("fe80::2").bytes(),
            TestFrame6.ipv6().destination("ff02::1").bytes(),
            TestFrame6.ipv6().source("2001:db8:0::1").bytes(),
            TestFrame6.ipv6().version(5).bytes(),
            TestFrame.ipv4().destination("203.0.113.1").payload(26).bytes(),
            TestFrame.ipv4().destination("203.0.113.1").options("01010100").payload(26).bytes(),
            TestFrame6.ipv6().destination("2001:db8:77::1").payload(26).bytes(),
        };
        try (RouterFixture router = new RouterFixture(
            2, context -> context.icmpErrors(new RateLimit(1_000_000, 50)).forwardsIpv6(true).accessTable(lists()));
            MemoryRegion templates = MemoryRegion.ofBytes(kinds.length * ROOM))
        {
            router.adjacencies.set(RouterFixture.UNRESOLVED, Adjacency.unresolved(1, IpAddress.of(7), 1500));
            router.connect(0, true);
            router.route("10.0.0.7", 32, 1);
            router.adjacencies.set(GROUP, Adjacency.group(new AdjacencyGroup(
                new int[]{2, RouterFixture.UNRESOLVED}, new int[]{1, 1}, new int[]{0, 1, 0, 0}, new int[4])));
            router.route("203.0.113.0", 24, GROUP);
            router.routeIpv6("2001:db8:77::", 48, GROUP);
            assertNothingAllocated(router, templates, kinds, FIRST_IPV6_KIND);

            assertTrue(router.count(ForwarderCounter.RECEIVED) >= FRAMES);
            assertTrue(router.count(ForwarderCounter.FRAGMENTS) > 0);
            assertTrue(router.count(ForwarderCounter.ORIGINATED) > 0);
            assertTrue(router.count(ForwarderCounter.PUNTED) > 0);
            assertTrue(router.report().get(DropReason.NEIGHBOR_UNRESOLVED) > 0);
            assertTrue(router.report().get(DropReason.IPV4_BAD_OPTION) > 0);
            assertTrue(router.report().get(DropReason.IPV4_OWN_SOURCE) > 0);
            assertTrue(router.report().get(DropReason.EGRESS_FULL) > 0);
            assertTrue(router.count(ForwarderCounter.IPV6) > FRAMES / 3);
            assertTrue(router.report().get(DropReason.IPV6_HOP_LIMIT) > 0);
            assertTrue(router.report().get(DropReason.IPV6_TOO_BIG) > 0);
            assertTrue(router.report().get(DropReason.IPV6_BEYOND_SCOPE) > 0);
            assertTrue(router.report().get(DropReason.IPV6_OWN_SOURCE) > 0);
            router.assertBalanced();
        }
    }

    private void assertNothingAllocated(
        final RouterFixture router, final MemoryRegion templates, final byte[][] kinds, final int firstIpv6Kind)
    {
        final int[] lengths = new int[kinds.length];
        for (int k = 0; k < kinds.length; k++)
        {
            FrameMemory.putBytes(templates.address() + (long)k * ROOM, kinds[k]);
            lengths[k] = kinds[k].length;
        }
        long allocated = Long.MAX_VALUE;
        for (int attempt = 0; attempt < ATTEMPTS && allocated != 0; attempt++)
        {
            final long start = threads.getCurrentThreadAllocatedBytes();
            run(router, templates.address(), lengths, firstIpv6Kind);
            allocated = threads.getCurrentThreadAllocatedBytes() - start;
        }
        assertEquals(0, allocated, "bytes allocated");
    }

    @Test
    void shouldAllocateNothingForFlows()
    {
        final FlowTuple ipv4 = FlowFrames.tuple(FlowFrames.TCP, "10.0.0.2", 40_000, "10.0.1.2", 80);
        final FlowTuple ipv6 = FlowFrames.tuple(FlowFrames.TCP, "2001:db8::2", 40_000, "2001:db8:1::2", 80);
        final FlowTuple waiting = FlowFrames.tuple(FlowFrames.UDP, "10.0.0.2", 1, "10.0.1.99", 2);
        final FlowTuple closing = FlowFrames.tuple(FlowFrames.TCP, "10.0.0.2", 3, "10.0.1.2", 4);
        final byte[][] kinds = {
            FlowFrames.frame(0, ipv4),
            FlowFrames.frame(0, ipv4, 2, 0),
            FlowFrames.ipv4(0, ipv4, FlowFrames.ACK, 8).options("01010101").bytes(),
            FlowFrames.ipv4(0, ipv4, FlowFrames.ACK, 8).ttl(1).bytes(),
            FlowFrames.frame(0, ipv4, FlowFrames.ACK, 1600),
            FlowFrames.frame(0, waiting),
            FlowFrames.frame(0, closing, 1, 0),
            FlowFrames.frame(0, ipv6),
            FlowFrames.frame(0, ipv6, FlowFrames.ACK, 1600),
            FlowFrames.ipv6(0, ipv6, FlowFrames.ACK, 8).hopLimit(1).bytes(),
        };
        try (FlowMemory memory = FlowMemory.ofProcess(kinds.length);
            MemoryRegion templates = MemoryRegion.ofBytes(kinds.length * ROOM))
        {
            final FlowTable table = new FlowTable(memory, kinds.length, 1);
            final int flow = table.add(ipv4, 0, 1, FlowFrames.tuple(
                FlowFrames.TCP, "10.0.1.1", 5, "10.0.1.2", 80).inverse(), 1, 0);
            table.add(ipv6, 0, 1, FlowFrames.tuple(
                FlowFrames.TCP, "2001:db8:1::1", 5, "2001:db8:1::2", 80).inverse(), 1, 0);
            table.add(waiting, 0, 1, waiting.inverse(), 1, 0);
            table.add(closing, 0, 1, closing.inverse(), 1, 0);
            try (RouterFixture router = new RouterFixture(
                2, context -> context.flows(new AtomicReference<>(table)).forwardsIpv6(true)))
            {
                router.interfaces.set(0, router.interfaces.get(0).with(
                    new InterfacePolicy(Transit.FLOWS, ReversePath.OFF, Transit.FLOWS)));
                assertNothingAllocated(router, templates, kinds, kinds.length - 3);
                assertTrue(router.count(ForwarderCounter.FLOWS) > FRAMES / 2);
                assertTrue(router.count(ForwarderCounter.PUNTED) > 0);
                assertTrue(table.packets(2 * flow) > FRAMES / 4);
                router.assertBalanced();
            }
        }
    }

    /** For both ports and directions: a rule that counts, then rules that do not match, then the default. */
    private static AccessTable lists()
    {
        final AccessList list = new AccessList("list", List.of(
            AccessRule.all(AccessAction.COUNT), new AccessRule(
                true, true, null, null, 17, PortRange.ANY, PortRange.of(7), 0, 0, AccessRule.ANY, FragmentMatch.ANY,
                AccessAction.PROHIBIT, 0)), AccessAction.PERMIT);
        final AccessTable table = new AccessTable();
        table.replace(new AccessLists(List.of(list), List.of("list", "list"), List.of("list", "list"), 1));
        return table;
    }

    private void run(
        final RouterFixture router, final long templates, final int[] lengths, final int firstIpv6Kind)
    {
        for (int sent = 0; sent < FRAMES; sent += BATCH)
        {
            for (int i = 0; i < BATCH; i++)
            {
                // Every second frame is an ordinary one, of a family that changes with the batch.
                final int kind = i % 2 == 0 ?
                    sent / BATCH % 2 * firstIpv6Kind : (sent / BATCH + i) % lengths.length;
                final long chunk = router.hostPool.allocate();
                FrameMemory.copy(templates + (long)kind * ROOM, chunk + FramePool.HEADROOM, lengths[kind]);
                assertTrue(router.hosts.get(0).txQueue(0).offer(chunk, chunk + FramePool.HEADROOM, lengths[kind]));
            }
            router.hosts.get(0).txQueue(0).flush();
            router.clock.advance(TimeUnit.MILLISECONDS.toNanos(10));
            if (sent / BATCH % SAMPLED == 0)
            {
                router.agent.capturePoint.refresh(true);
            }
            router.agent.doWork();
            router.agent.doWork();
            // Every other second the receiver stands still until the router is full.
            if (sent / 20_000 % 2 == 0)
            {
                drain(router);
            }
        }
        drain(router);
    }

    private void drain(final RouterFixture router)
    {
        boolean more = true;
        while (more)
        {
            more = false;
            for (int p = 0; p < router.hosts.size(); p++)
            {
                final Port port = router.hosts.get(p);
                host.clear();
                more |= port.rxQueue(0).receive(host) > 0;
                for (int i = 0; i < host.size(); i++)
                {
                    router.hostPool.release(host.handle(i));
                }
                port.txQueue(0).flush();
            }
            router.agent.doWork();
        }
    }
}
