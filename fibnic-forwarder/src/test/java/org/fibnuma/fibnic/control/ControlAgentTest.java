package org.fibnuma.fibnic.control;

import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.CachedEpochClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.kernel.KernelNetwork;
import org.fibnuma.core.kernel.KernelNetworkListener;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.adjacency.NeighborResolveProxy;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.Ipv6Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.fibnuma.fibnic.rib.LinkTable;
import org.fibnuma.fibnic.rib.NeighborRefresher;
import org.fibnuma.fibnic.rib.NeighborRequests;
import org.fibnuma.fibnic.rib.RoutingTables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ControlAgentTest
{
    private static final int LEFT = 11;
    private static final int RIGHT = 12;
    private static final long REFRESH_MS = 30_000;
    private static final int RING_BYTES = 4096;

    private final ScriptedKernel kernel = new ScriptedKernel();
    private final ReaderEpochs epochs = new ReaderEpochs();
    private final Ipv4Fib fib = new Ipv4Fib(epochs);
    private final Ipv6Fib ipv6Fib = new Ipv6Fib(epochs);
    private final LinkTable links = new LinkTable(new int[]{ LEFT, RIGHT });
    private final RoutingTables tables = new RoutingTables(
        List.of(), links, new RoutingTables.Shared(fib, ipv6Fib, new AdjacencyTable(), new InterfaceTable(2), epochs));
    private final ManyToOneRingBuffer requests = new ManyToOneRingBuffer(new UnsafeBuffer(
        BufferUtil.allocateDirectAligned(
            RING_BYTES + RingBufferDescriptor.TRAILER_LENGTH, BitUtil.CACHE_LINE_LENGTH)));
    private final CachedEpochClock clock = new CachedEpochClock();
    private final NeighborRequests neighborRequests = new NeighborRequests(kernel, links, line -> {});
    private final ControlAgent agent = new ControlAgent(
        kernel, tables, neighborRequests, new NeighborRefresher(tables, neighborRequests, REFRESH_MS, line -> {}),
        requests, epochs, List.of(), List.of(), clock);

    @AfterEach
    void close()
    {
        fib.close();
        ipv6Fib.close();
    }

    @Test
    void shouldFollowWhatTheKernelSays()
    {
        kernel.say(listener -> listener.onRoute(via("192.0.2.0", "10.0.0.2"), true));
        assertTrue(agent.doWork() > 0);
        assertNotEquals(0, fib.lookup(Ipv4Address.parse("192.0.2.1")));

        kernel.say(listener -> listener.onRoute(via("192.0.2.0", "10.0.0.2"), false));
        agent.doWork();
        assertEquals(0, fib.lookup(Ipv4Address.parse("192.0.2.1")));
    }

    @Test
    void shouldAskTheKernelForWhatAWorkerNeeds()
    {
        final IpAddress address = IpAddress.parse("10.0.1.9");
        new NeighborResolveProxy(requests).resolve(1, address.high(), address.low());

        agent.doWork();

        assertEquals(List.of("12 10.0.1.9"), kernel.asked);
    }

    /** A request makes the kernel drop the static state of a permanent neighbour. */
    @Test
    void shouldNotAskForANeighborThatBecamePermanentMeanwhile()
    {
        final IpAddress address = IpAddress.parse("10.0.1.9");
        new NeighborResolveProxy(requests).resolve(1, address.high(), address.low());
        kernel.say(listener -> listener.onNeighbor(
            new KernelNeighbor(12, address, 0x0200_0000_0009L, KernelNeighbor.State.PERMANENT), true));

        agent.doWork();

        assertEquals(List.of(), kernel.asked);
    }

    @Test
    void shouldAskForGatewaysOnItsOwn()
    {
        clock.update(1000);
        kernel.say(listener -> listener.onLink(new KernelLink(LEFT, "left", 0x0200_0000_0001L, 1500, true), true));
        kernel.say(listener -> listener.onRoute(via("192.0.2.0", "10.0.0.2"), true));
        agent.doWork();
        assertEquals(List.of("11 10.0.0.2"), kernel.asked);

        clock.update(1500);
        agent.doWork();
        assertEquals(1, kernel.asked.size(), "not before its time");

        clock.update(2100);
        agent.doWork();
        assertEquals(2, kernel.asked.size());
    }

    @Test
    void shouldGiveBackWhatNoWorkerHolds()
    {
        final List<String> released = new ArrayList<>();
        final ReaderEpochs.Reader worker = epochs.register();
        epochs.retire(() -> released.add("x"));

        agent.doWork();
        assertEquals(List.of(), released);

        worker.quiesce();
        agent.doWork();
        assertEquals(List.of("x"), released);
        worker.close();
    }

    @Test
    void shouldRunTasksInTurnAndOnceEachEvenWhereOneFails()
    {
        final List<String> done = new ArrayList<>();
        agent.offer(() ->
        {
            done.add("fails");
            throw new IllegalStateException("as told");
        });
        agent.offer(() -> done.add("works"));

        assertThrows(IllegalStateException.class, agent::doWork);
        agent.doWork();
        agent.doWork();

        assertEquals(List.of("fails", "works"), done);
    }

    @Test
    void shouldTakeNoMoreTasksThanItHasRoomFor()
    {
        int taken = 0;
        while (taken < 1000 && agent.offer(() ->
        {
        }))
        {
            taken++;
        }

        assertFalse(taken == 1000, "tasks without end");
        agent.doWork();
        assertTrue(agent.offer(() ->
        {
        }));
    }

    private static KernelRoute via(final String prefix, final String gateway)
    {
        return new KernelRoute(
            Ipv4Address.parse(prefix), 24, KernelRoute.TABLE_MAIN, 0, KernelRoute.Kind.UNICAST,
            Ipv4Address.parse(gateway), LEFT);
    }

    /** Says what it is told to and remembers what it is asked. */
    private static final class ScriptedKernel implements KernelNetwork
    {
        private final Queue<Consumer<KernelNetworkListener>> script = new ArrayDeque<>();
        private final List<String> asked = new ArrayList<>();

        void say(final Consumer<KernelNetworkListener> event)
        {
            script.add(event);
        }

        @Override
        public void dump(final KernelNetworkListener listener)
        {
            throw new UnsupportedOperationException("nothing to dump");
        }

        @Override
        public int poll(final KernelNetworkListener listener)
        {
            final int count = script.size();
            script.forEach(event -> event.accept(listener));
            script.clear();
            return count;
        }

        @Override
        public String resolve(final int interfaceIndex, final IpAddress address)
        {
            asked.add(interfaceIndex + " " + address);
            return null;
        }

        @Override
        public void close()
        {
        }
    }
}
