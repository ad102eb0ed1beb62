package org.fibnuma.fibnic.control;

import com.fasterxml.jackson.databind.JsonNode;
import org.agrona.CloseHelper;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.fibnuma.core.DocumentedJson;
import org.fibnuma.core.agent.AgentThread;
import org.fibnuma.core.agent.ThreadPinning;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.kernel.KernelNetwork;
import org.fibnuma.core.kernel.KernelNetworkListener;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.config.ForwardingConfig;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.Ipv6Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.fibnuma.fibnic.rib.LinkTable;
import org.fibnuma.fibnic.rib.NeighborRefresher;
import org.fibnuma.fibnic.rib.NeighborRequests;
import org.fibnuma.fibnic.rib.RoutingTables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A control thread that follows a kernel of the test, and verifications while that changes. */
@Timeout(120)
class VerificationTest
{
    private static final int INTERFACE = 11;
    private static final ForwardingConfig FORWARDING = new ForwardingConfig(false, false, true, true, false);
    private static final int RING_BYTES = 4096;
    private static final long REFRESH_MS = TimeUnit.HOURS.toMillis(1);
    private static final String STOPPING = "the router is stopping: the verification was cancelled";

    private final ChangingKernel kernel = new ChangingKernel();
    private final ReaderEpochs epochs = new ReaderEpochs();
    private final Ipv4Fib fib = new Ipv4Fib(epochs);
    private final Ipv6Fib ipv6Fib = new Ipv6Fib(epochs);
    private final RoutingTables.Shared shared =
        new RoutingTables.Shared(fib, ipv6Fib, new AdjacencyTable(), new InterfaceTable(1), epochs);
    private final RoutingTables tables =
        new RoutingTables(List.of(), new LinkTable(new int[]{ INTERFACE }), shared);
    private final ControlAgent agent = new ControlAgent(
        kernel, tables, new NeighborRequests(kernel, tables.links(), line -> {}),
        new NeighborRefresher(
            tables, new NeighborRequests(kernel, tables.links(), line -> {}), REFRESH_MS, line -> {}),
        new ManyToOneRingBuffer(new UnsafeBuffer(
            ByteBuffer.allocateDirect(RING_BYTES + RingBufferDescriptor.TRAILER_LENGTH))),
        epochs, List.of(), List.of(), SystemEpochClock.INSTANCE);
    private final Verification verification =
        new Verification(
            () -> kernel, new RoutesFile(null, true), tables, FORWARDING, shared, agent, null, null);
    private final BlockingQueue<JsonNode> answers = new LinkedBlockingQueue<>();
    private final AgentThread thread;

    VerificationTest()
    {
        tables.forwardIpv6();
        kernel.dump(tables);
        kernel.dumps = 0;
        thread = AgentThread.start(
            agent, new SleepingMillisIdleStrategy(1), ThreadPinning.ANY_CORE, Throwable::printStackTrace);
    }

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(verification, thread, fib, ipv6Fib);
    }

    @Test
    void shouldAgreeWithAKernelThatDoesNotChange() throws InterruptedException
    {
        kernel.change(1);
        assertTrue(verify().get("equal").asBoolean());
        assertEquals(1, kernel.dumps);
    }

    @Test
    void shouldWaitForChangesThatTheControlThreadHasNotFollowedYet() throws InterruptedException
    {
        kernel.busyUntil = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        kernel.change(1);

        final JsonNode answer = verify();

        assertTrue(answer.get("equal").asBoolean(), answer::toString);
    }

    @Test
    void shouldNotTakeRoutesThatComeAfterEachDumpForDifferences() throws InterruptedException
    {
        kernel.changesAfterDump = true;

        final JsonNode answer = verify();

        assertTrue(answer.get("equal").asBoolean(), answer::toString);
        assertTrue(kernel.dumps > 1, "no difference was seen");
    }

    @Test
    void shouldTellADifferenceOfTheIpv6Tables() throws Exception
    {
        kernel.routes.add(7);
        kernel.hasIpv6Route = true;

        final JsonNode answer = verify();

        assertFalse(answer.get("equal").asBoolean());
        assertEquals(BigInteger.TWO.pow(64).add(BigInteger.valueOf(256)),
            answer.get("differingAddresses").bigIntegerValue(), answer::toString);
        final JsonNode difference = answer.get("differences").get(1);
        assertEquals("2001:db8::", difference.get("first").asText());
        assertEquals("2001:db8::ffff:ffff:ffff:ffff", difference.get("last").asText());
        assertEquals("blackhole", difference.get("expected").asText());
        assertEquals("no-route", difference.get("actual").asText());
        DocumentedJson.assertMatches("verify", answer);
    }

    @Test
    void shouldTellADifferenceThatLastsWhereNothingChanges() throws InterruptedException, ExecutionException
    {
        kernel.routes.add(7);

        final JsonNode answer = verify();

        assertFalse(answer.get("equal").asBoolean());
        assertEquals(256, answer.get("differingAddresses").asLong(), answer::toString);
        assertEquals("192.0.7.0", answer.get("differences").get(0).get("first").asText());
        assertEquals(1, kernel.dumps, "nothing has changed meanwhile");
    }

    @Test
    void shouldTellADifferenceThatLastsWhileOthersPass() throws InterruptedException
    {
        kernel.routes.add(250);
        kernel.changesAfterDump = true;

        final JsonNode answer = verify();

        assertFalse(answer.get("equal").asBoolean());
        assertEquals(1, answer.get("differingRanges").asInt(), answer::toString);
        assertEquals("192.0.250.0", answer.get("differences").get(0).get("first").asText());
    }

    @Test
    void shouldAnswerAndEndBeforeItIsClosed() throws InterruptedException
    {
        kernel.inDump = new CountDownLatch(1);
        kernel.endless = true;
        verification.start(answers::add);
        kernel.inDump.await();

        verification.close();

        assertEquals(STOPPING, answers.take().get("error").asText());
        verification.start(answers::add);
        assertEquals(STOPPING, answers.take().get("error").asText(), "closed for good");
    }

    @Test
    void shouldAnswerWhereItIsClosedWhileItCompares() throws InterruptedException
    {
        for (int attempt = 0; attempt < 20; attempt++)
        {
            final Verification one = new Verification(
                () -> kernel, new RoutesFile(null, true), tables, FORWARDING, shared, agent, null, null);
            one.start(answers::add);
            TimeUnit.MILLISECONDS.sleep(5 * attempt);
            one.close();
            final JsonNode answer = answers.poll();
            assertTrue(answer != null, "closed before it had answered");
            assertTrue(answer.has("equal") || STOPPING.equals(answer.get("error").asText()), answer::toString);
        }
    }

    private JsonNode verify() throws InterruptedException
    {
        verification.start(answers::add);
        return answers.take();
    }

    /** Routes 192.0.N.0/24 by their N, through one interface that is up. */
    private static final class ChangingKernel implements KernelNetwork
    {
        private final TreeSet<Integer> routes = new TreeSet<>();
        private final Queue<Integer> untold = new ConcurrentLinkedQueue<>();
        private volatile long busyUntil = System.nanoTime();
        private volatile boolean changesAfterDump;
        private volatile boolean endless;
        private volatile boolean hasIpv6Route;
        private volatile int dumps;
        private volatile CountDownLatch inDump = new CountDownLatch(0);

        synchronized void change(final int route)
        {
            if (routes.add(route))
            {
                untold.add(route);
            }
        }

        @Override
        public void dump(final KernelNetworkListener listener)
        {
            listener.onDumpStart();
            listener.onLink(link(), true);
            inDump.countDown();
            do
            {
                synchronized (this)
                {
                    routes.forEach(route -> listener.onRoute(routeOf(route), true));
                    listener.onRoute(routeOf(0), true);
                }
                if (hasIpv6Route)
                {
                    listener.onRoute(new KernelRoute(
                        true, IpAddress.parse("2001:db8::"), 64, KernelRoute.TABLE_MAIN, 1024,
                        KernelRoute.Kind.BLACKHOLE, IpAddress.NONE, 0), true);
                }
            }
            while (endless);
            listener.onDumpEnd();
            dumps = dumps + 1;
            if (changesAfterDump)
            {
                change(100 + dumps);
            }
        }

        /** While it is busy it tells the same link again and again, as if a long line of changes waited. */
        @Override
        public int poll(final KernelNetworkListener listener)
        {
            if (System.nanoTime() - busyUntil < 0)
            {
                listener.onLink(link(), true);
                return 1;
            }
            final Integer route = untold.poll();
            if (route == null)
            {
                return 0;
            }
            listener.onRoute(routeOf(route), true);
            return 1;
        }

        private static KernelLink link()
        {
            return new KernelLink(INTERFACE, "left", 0x0200_0000_0001L, 1500, true);
        }

        private static KernelRoute routeOf(final int number)
        {
            return new KernelRoute(
                Ipv4Address.parse("192.0." + number + ".0"), 24, KernelRoute.TABLE_MAIN, 0,
                KernelRoute.Kind.UNICAST, Ipv4Address.parse("10.0.0.2"), INTERFACE);
        }

        @Override
        public String resolve(final int interfaceIndex, final IpAddress address)
        {
            return null;
        }

        @Override
        public void close()
        {
        }
    }
}
