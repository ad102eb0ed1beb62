package org.fibnuma.fibnic.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.kernel.KernelNetwork;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.fibnuma.fibnic.rib.RoutingTables;
import org.fibnuma.fibnic.verify.Difference;
import org.fibnuma.fibnic.verify.ExpectedTable;
import org.fibnuma.fibnic.verify.FibBoundaries;
import org.fibnuma.fibnic.verify.FibComparison;
import org.fibnuma.fibnic.verify.KernelSnapshot;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Compares the FIB with a fresh dump, on a thread of its own, while the router goes on. What differs is looked at
 * again a moment later with another dump: a change that was on its way is no difference.
 */
final class Verification
{
    private static final int DIFFERENCES_SHOWN = 100;

    /** Well above the time in which the control thread follows a change. */
    private static final long SETTLE_MS = 300;

    private final Supplier<KernelNetwork> kernels;
    private final RoutesFile routesFile;
    private final Map<Integer, Integer> portByInterface;
    private final RoutingTables.Shared shared;
    private final ControlAgent control;
    private final AtomicBoolean running = new AtomicBoolean();

    Verification(
        final Supplier<KernelNetwork> kernels,
        final RoutesFile routesFile,
        final Map<Integer, Integer> portByInterface,
        final RoutingTables.Shared shared,
        final ControlAgent control)
    {
        this.kernels = kernels;
        this.routesFile = routesFile;
        this.portByInterface = portByInterface;
        this.shared = shared;
        this.control = control;
    }

    /** Starts one, unless one is running; any thread. */
    void start(final Consumer<JsonNode> answer)
    {
        if (!running.compareAndSet(false, true))
        {
            answer.accept(ControlProtocol.error("a verification is running already; ask again when it is done"));
            return;
        }
        final Thread thread = new Thread(() -> answer.accept(verify()), "verify");
        thread.setDaemon(true);
        thread.start();
    }

    private JsonNode verify()
    {
        try
        {
            final Outcome first = compare();
            if (first.differences.isEmpty())
            {
                return answerOf(first, first.differences);
            }
            Thread.sleep(SETTLE_MS);
            final Outcome second = compare();
            return answerOf(second, lasting(first.differences, second.differences));
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return ControlProtocol.error("the router is stopping");
        }
        catch (final ExecutionException | RuntimeException ex)
        {
            return ControlProtocol.error("cannot verify: " + ex.getMessage());
        }
        finally
        {
            running.set(false);
        }
    }

    private Outcome compare() throws InterruptedException, ExecutionException
    {
        final KernelSnapshot snapshot = new KernelSnapshot();
        try (KernelNetwork kernel = kernels.get())
        {
            kernel.dump(snapshot);
        }
        routesFile.forEach(snapshot::addFileRoute);
        final ExpectedTable table = new ExpectedTable(snapshot, portByInterface);
        final FibComparison comparison = new FibComparison(
            table, shared.fib(), shared.adjacencies(), FibBoundaries.sorted(boundaries()));
        try (ReaderEpochs.Reader reader = shared.epochs().register())
        {
            return new Outcome(table.prefixCount(), comparison.run(reader), comparison.differingAddresses());
        }
    }

    private long[] boundaries() throws InterruptedException, ExecutionException
    {
        final CompletableFuture<long[]> boundaries = new CompletableFuture<>();
        final boolean taken = control.offer(() -> boundaries.complete(FibBoundaries.of(shared.fib())));
        if (!taken)
        {
            throw new IllegalStateException("the router has too many requests waiting; ask again");
        }
        return boundaries.get();
    }

    private static List<Difference> lasting(final List<Difference> first, final List<Difference> second)
    {
        return first.size() >= FibComparison.MAX_DIFFERENCES ? second :
            second.stream().filter(now -> first.stream().anyMatch(before -> before.overlaps(now))).toList();
    }

    private static ObjectNode answerOf(final Outcome outcome, final List<Difference> differences)
    {
        final ObjectNode answer = ControlProtocol.object()
            .put("equal", differences.isEmpty())
            .put("prefixes", outcome.prefixes)
            .put("differingRanges", differences.size())
            .put("differingAddresses", differences.isEmpty() ? 0 : outcome.addresses);
        final ArrayNode shown = answer.putArray("differences");
        differences.stream().limit(DIFFERENCES_SHOWN).forEach(difference -> shown.addObject()
            .put("first", Ipv4Address.format((int)difference.first()))
            .put("last", Ipv4Address.format((int)difference.last()))
            .put("expected", difference.expected())
            .put("actual", difference.actual()));
        return answer;
    }

    private record Outcome(int prefixes, List<Difference> differences, long addresses)
    {
    }
}
