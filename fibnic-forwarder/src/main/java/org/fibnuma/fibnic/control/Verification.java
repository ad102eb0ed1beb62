package org.fibnuma.fibnic.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.agrona.collections.LongArrayList;
import org.fibnuma.binding.conntrack.Conntrack;
import org.fibnuma.core.kernel.KernelNetwork;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.config.ForwardingConfig;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.Ipv6Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.fibnuma.fibnic.fib.TableFib;
import org.fibnuma.fibnic.flows.FlowFollower;
import org.fibnuma.fibnic.rib.HandedRoutes;
import org.fibnuma.fibnic.rib.RoutingTables;
import org.fibnuma.fibnic.verify.Difference;
import org.fibnuma.fibnic.verify.ExpectedTable;
import org.fibnuma.fibnic.verify.FibComparison;
import org.fibnuma.fibnic.verify.FlowComparison;
import org.fibnuma.fibnic.verify.Ipv6FibComparison;
import org.fibnuma.fibnic.verify.KernelSnapshot;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/**
 * Compares the FIB with a new dump on a thread of its own while the router forwards. If a routing daemon hands over the
 * routes, the main table has the connected networks of the dump and the handed routes of the RIB. A comparison begins
 * when the control thread has applied every change that the kernel made before the end of the dump. Another round
 * follows until there are no differences, nothing has changed during a round, or {@link #ROUNDS} have ended. A
 * difference is reported only if every round has found it. Then flows are compared with their entries in conntrack.
 */
final class Verification implements AutoCloseable
{
    private static final int DIFFERENCES_SHOWN = 100;

    /** A flapping prefix is reported only if it differs in each of these rounds. */
    private static final int ROUNDS = 5;

    /** Between two rounds: well above the time in which the control thread applies a change. */
    private static final long SETTLE_MS = 300;

    /** A million routes of a routing daemon are applied in less time. */
    private static final long QUIET_PATIENCE_S = 60;

    /** Rows of the RIB that the control thread copies at once, in about 1 ms. */
    private static final int ROWS_AT_ONCE = 8192;

    /** Room for boundaries of prefixes that are added while the FIB is read. */
    private static final int SPARE = 4096;

    private static final String STOPPING = "the router is stopping: the verification was cancelled";

    private final Supplier<KernelNetwork> kernels;
    private final RoutesFile routesFile;
    private final RoutingTables tables;
    private final ForwardingConfig forwarding;
    private final RoutingTables.Shared shared;
    private final ControlAgent control;
    /** Null where all routes are the kernel's or the configuration's. */
    private final HandedRoutes handed;
    /** Null where the router never takes flows. */
    private final FlowFollower flows;
    private volatile Runnable cancellation = () -> {};
    private volatile boolean closed;
    private volatile boolean running;
    private Thread thread;

    Verification(
        final Supplier<KernelNetwork> kernels,
        final RoutesFile routesFile,
        final RoutingTables tables,
        final ForwardingConfig forwarding,
        final RoutingTables.Shared shared,
        final ControlAgent control,
        final HandedRoutes handed,
        final FlowFollower flows)
    {
        this.kernels = kernels;
        this.routesFile = routesFile;
        this.tables = tables;
        this.forwarding = forwarding;
        this.shared = shared;
        this.control = control;
        this.handed = handed;
        this.flows = flows;
    }

    /** Starts a verification unless one is running; any thread. */
    synchronized void start(final Consumer<JsonNode> answer)
    {
        if (closed)
        {
            answer.accept(ControlProtocol.error(STOPPING));
        }
        else if (running)
        {
            answer.accept(ControlProtocol.error("a verification is running already; ask again when it is done"));
        }
        else
        {
            running = true;
            thread = new Thread(() -> answer.accept(verify()), "verify");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Cancels a running verification and waits for its answer. Not for the control thread. */
    @Override
    public void close()
    {
        final Thread last;
        synchronized (this)
        {
            closed = true;
            last = thread;
        }
        if (last == null)
        {
            return;
        }
        cancellation.run();
        last.interrupt();
        try
        {
            last.join();
        }
        catch (final InterruptedException ex)
        {
            // The tables wait for the thread too before they are freed.
            Thread.currentThread().interrupt();
        }
    }

    private JsonNode verify()
    {
        try
        {
            List<Found> lasting = null;
            for (int round = 1;; round++)
            {
                final List<Object> before = whenQuiet(this::state);
                final Outcome outcome = compare();
                lasting = round == 1 ? outcome.differences : lasting(lasting, outcome.differences);
                if (lasting.isEmpty() || round == ROUNDS || whenQuiet(this::state).equals(before))
                {
                    return answerOf(outcome, lasting, compareFlows());
                }
                Thread.sleep(SETTLE_MS);
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return ControlProtocol.error(STOPPING);
        }
        catch (final ExecutionException | RuntimeException ex)
        {
            return ControlProtocol.error(closed ? STOPPING : "cannot verify: " + ex.getMessage());
        }
        finally
        {
            running = false;
        }
    }

    /** Returns null if no flows are found. */
    private FlowComparison.Result compareFlows() throws InterruptedException, ExecutionException
    {
        if (flows == null || !whenQuiet(flows::status).isFound())
        {
            return null;
        }
        try (Conntrack conntrack = new Conntrack())
        {
            return new FlowComparison(
                this::whenQuiet, flows::check, flows::flows, tuple -> conntrack.get(tuple, 0)).run();
        }
    }

    /** Returns values that differ after any change of the tables. */
    private List<Object> state()
    {
        return List.of(
            control.changes(), tables.links().ipv6Mtus(), tables.prefixesOfKernel(), List.copyOf(tables.rules()));
    }

    private Outcome compare() throws InterruptedException, ExecutionException
    {
        final KernelSnapshot snapshot = new KernelSnapshot(forwarding.ipv6());
        cancelBy(snapshot::cancel);
        try (KernelNetwork kernel = kernels.get())
        {
            kernel.dump(snapshot);
        }
        final int handedRoutes = handed == null ? 0 :
            addHandedRoutes(snapshot, false) + addHandedRoutes(snapshot, true);
        snapshot.mergeHandedRoutes();
        snapshot.ipv6Mtus(whenQuiet(tables.links()::ipv6Mtus));
        snapshot.prefixesOfKernel(whenQuiet(tables::prefixesOfKernel));
        routesFile.forEach(snapshot::addFileRoute);
        final Map<Integer, Integer> carried = whenQuiet(tables.links()::carriedNumbers);
        final ExpectedTable table = new ExpectedTable(snapshot, carried, forwarding);
        final List<Found> differences = new ArrayList<>();
        BigInteger addresses = compareIpv4(table, differences);
        int prefixes = table.prefixCount();
        if (forwarding.ipv6())
        {
            addresses = addresses.add(compare(KernelRoute.TABLE_MAIN, true, table, differences));
        }
        for (final int number : furtherTables(snapshot))
        {
            final ExpectedTable further = new ExpectedTable(snapshot.withTable(number), carried, forwarding);
            prefixes += further.prefixCount();
            addresses = addresses.add(compare(number, false, further, differences));
            if (forwarding.ipv6())
            {
                addresses = addresses.add(compare(number, true, further, differences));
            }
        }
        return new Outcome(handedRoutes, prefixes, differences, addresses);
    }

    private Set<Integer> furtherTables(final KernelSnapshot snapshot) throws InterruptedException, ExecutionException
    {
        final Set<Integer> numbers = new TreeSet<>(snapshot.furtherTables());
        numbers.addAll(whenQuiet(() -> List.copyOf(tables.furtherTables(false))));
        numbers.addAll(whenQuiet(() -> List.copyOf(tables.furtherTables(true))));
        return numbers;
    }

    /** Compares the IPv4 main table; returns the number of addresses that differ. */
    private BigInteger compareIpv4(final ExpectedTable table, final List<Found> differences)
        throws InterruptedException, ExecutionException
    {
        final Ipv6Fib shorter = whenQuiet(() -> tables.fibOf(KernelRoute.TABLE_MAIN, false)).shorter();
        final LongArrayList boundaries = new LongArrayList(2 * whenQuiet(shared.fib()::size) + SPARE, Long.MIN_VALUE);
        inParts(position -> FibComparison.addBoundaries(shared.fib(), position, boundaries), Ipv4Fib.END);
        if (shorter != null)
        {
            inParts(position -> FibComparison.addBoundaries(shorter, position, boundaries), Ipv6Fib.END);
        }
        final FibComparison comparison =
            new FibComparison(table, shared.fib(), shorter, shared.adjacencies(), boundaries.toLongArray());
        cancelBy(comparison::cancel);
        compare(comparison::run).forEach(each -> differences.add(new Found(KernelRoute.TABLE_MAIN, each)));
        return comparison.differingAddresses();
    }

    /** Compares a table of a family other than the IPv4 main table; returns the number of addresses that differ. */
    private BigInteger compare(
        final int number, final boolean isIpv6, final ExpectedTable table, final List<Found> differences)
        throws InterruptedException, ExecutionException
    {
        final TableFib fib = whenQuiet(() -> tables.fibOf(number, isIpv6));
        final List<IpAddress> ends = new ArrayList<>(2 * whenQuiet(fib::size) + SPARE);
        inParts(position -> Ipv6FibComparison.addLastAddresses(isIpv6, fib.longer(), position, ends), Ipv6Fib.END);
        if (fib.shorter() != null)
        {
            inParts(
                position -> Ipv6FibComparison.addLastAddresses(isIpv6, fib.shorter(), position, ends), Ipv6Fib.END);
        }
        final Ipv6FibComparison comparison =
            new Ipv6FibComparison(isIpv6, table, fib, shared.adjacencies(), ends);
        cancelBy(comparison::cancel);
        compare(comparison::run).forEach(each -> differences.add(new Found(number, each)));
        return comparison.differingAddresses();
    }

    /** Reads a table on the control thread in parts, between which that thread does other work. */
    private void inParts(final IntUnaryOperator readFrom, final int end) throws InterruptedException, ExecutionException
    {
        int position = 0;
        while (position != end)
        {
            final int start = position;
            position = whenQuiet(() -> readFrom.applyAsInt(start));
        }
    }

    private int addHandedRoutes(final KernelSnapshot snapshot, final boolean isIpv6)
        throws InterruptedException, ExecutionException
    {
        int routes = 0;
        for (int row = 0;; row += ROWS_AT_ONCE)
        {
            final int from = row;
            final List<KernelRoute> part = whenQuiet(() -> handed.routes(isIpv6, from, ROWS_AT_ONCE));
            if (part == null)
            {
                return routes;
            }
            part.forEach(snapshot::addHandedRoute);
            routes += part.size();
        }
    }

    private List<Difference> compare(final Function<ReaderEpochs.Reader, List<Difference>> comparison)
    {
        try (ReaderEpochs.Reader reader = shared.epochs().register())
        {
            return comparison.apply(reader);
        }
    }

    private void cancelBy(final Runnable way)
    {
        cancellation = way;
        // close() sets this before it cancels: one of the two threads sees what the other has written.
        if (closed)
        {
            way.run();
        }
    }

    private <T> T whenQuiet(final Supplier<T> question) throws InterruptedException, ExecutionException
    {
        final CompletableFuture<T> answer = new CompletableFuture<>();
        final boolean taken = control.offerWhenQuiet(() -> answer.complete(question.get()));
        if (!taken)
        {
            throw new IllegalStateException("the router has too many requests waiting; ask again");
        }
        try
        {
            return answer.get(QUIET_PATIENCE_S, TimeUnit.SECONDS);
        }
        catch (final TimeoutException ex)
        {
            throw new IllegalStateException("the kernel's tables have changed without a pause for " +
                QUIET_PATIENCE_S + " s; ask again when they are loaded", ex);
        }
    }

    private static List<Found> lasting(final List<Found> first, final List<Found> second)
    {
        return first.size() >= FibComparison.MAX_DIFFERENCES ? second :
            second.stream().filter(now -> first.stream().anyMatch(before -> before.overlaps(now))).toList();
    }

    private static ObjectNode answerOf(
        final Outcome outcome, final List<Found> differences, final FlowComparison.Result flows)
    {
        final ObjectNode answer = ControlProtocol.object()
            .put("equal", differences.isEmpty() && (flows == null || flows.differences().isEmpty()))
            .put("prefixes", outcome.prefixes)
            .put("differingRanges", differences.size())
            .put("differingAddresses", differences.isEmpty() ? BigInteger.ZERO : outcome.addresses);
        if (outcome.handedRoutes > 0)
        {
            answer.put("handedRoutes", outcome.handedRoutes);
        }
        final ArrayNode shown = answer.putArray("differences");
        differences.stream().limit(DIFFERENCES_SHOWN).forEach(found -> putDifference(shown.addObject(), found));
        if (flows != null)
        {
            answer.put("flows", flows.flows()).put("differingFlows", flows.differences().size());
            final ArrayNode shownFlows = answer.putArray("flowDifferences");
            flows.differences().stream().limit(DIFFERENCES_SHOWN).forEach(difference -> shownFlows.addObject()
                .put("flow", difference.flow().original().toString())
                .put("difference", difference.difference()));
        }
        return answer;
    }

    private static void putDifference(final ObjectNode row, final Found found)
    {
        if (found.table != KernelRoute.TABLE_MAIN)
        {
            row.put("table", Integer.toUnsignedLong(found.table));
        }
        row.put("first", found.difference.firstText())
            .put("last", found.difference.lastText())
            .put("expected", found.difference.expected())
            .put("actual", found.difference.actual());
    }

    /** A difference in a routing table, by its number. */
    private record Found(int table, Difference difference)
    {
        boolean overlaps(final Found other)
        {
            return table == other.table && difference.overlaps(other.difference);
        }
    }

    private record Outcome(int handedRoutes, int prefixes, List<Found> differences, BigInteger addresses)
    {
    }
}
