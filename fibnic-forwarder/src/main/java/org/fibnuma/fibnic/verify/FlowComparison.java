package org.fibnuma.fibnic.verify;

import org.fibnuma.binding.conntrack.ConntrackEntry;
import org.fibnuma.core.flow.FlowTuple;
import org.fibnuma.fibnic.flows.FlowCheck;
import org.fibnuma.fibnic.flows.FlowView;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Compares the flows of a router with their entries in conntrack, on a thread other than the control thread. Flows and
 * entries change meanwhile. Therefore a difference is reported only if each of {@link #ROUNDS} has found it.
 */
public final class FlowComparison
{
    private static final int ROUNDS = 3;
    /** Between two rounds: well above the time in which the control thread applies an event. */
    private static final long SETTLE_MS = 300;
    /** Flows that the control thread copies at once, in about 1 ms. */
    private static final int FLOWS_AT_ONCE = 1000;

    private final ControlQuestions control;
    private final Supplier<FlowCheck> checks;
    private final FlowSource flows;
    private final Function<FlowTuple, ConntrackEntry> entries;

    /** Asks the control thread and waits for its answer. */
    @FunctionalInterface
    public interface ControlQuestions
    {
        /** Returns what the question returns on the control thread. */
        <T> T ask(Supplier<T> question) throws InterruptedException, ExecutionException;
    }

    /** The flows of the router, on the control thread. */
    @FunctionalInterface
    public interface FlowSource
    {
        /** Returns flows in the order of their numbers, from one on; fewer than {@code most} if there are no more. */
        List<FlowView> from(int first, int most);
    }

    /**
     * A flow whose entry is not as it must be.
     *
     * @param flow       as it was when the difference was found.
     * @param difference in one line.
     */
    public record FlowDifference(FlowView flow, String difference)
    {
    }

    /**
     * The outcome of a comparison.
     *
     * @param flows       that were compared.
     * @param differences that have lasted.
     */
    public record Result(int flows, List<FlowDifference> differences)
    {
    }

    /**
     * Creates a comparison.
     *
     * @param control thread that owns the flows.
     * @param checks  returns the current check on the control thread, null if no flows are found.
     * @param flows   of the router.
     * @param entries returns the entry of a tuple, null if there is none; on the thread that compares.
     */
    public FlowComparison(
        final ControlQuestions control,
        final Supplier<FlowCheck> checks,
        final FlowSource flows,
        final Function<FlowTuple, ConntrackEntry> entries)
    {
        this.control = control;
        this.checks = checks;
        this.flows = flows;
        this.entries = entries;
    }

    /** Compares all flows. */
    public Result run() throws InterruptedException, ExecutionException
    {
        Map<Integer, FlowDifference> lasting = new HashMap<>();
        final int count = compare(lasting);
        for (int round = 1; round < ROUNDS && !lasting.isEmpty(); round++)
        {
            Thread.sleep(SETTLE_MS);
            final Map<Integer, FlowDifference> before = lasting;
            lasting = new HashMap<>();
            compare(lasting);
            lasting.values().removeIf(now -> !before.containsKey(now.flow.number()) ||
                !before.get(now.flow.number()).flow.isSameFlow(now.flow));
        }
        return new Result(count, List.copyOf(lasting.values()));
    }

    /** Adds differences by the number of the flow; returns the number of flows. */
    private int compare(final Map<Integer, FlowDifference> differences) throws InterruptedException, ExecutionException
    {
        final FlowCheck check = control.ask(checks);
        int count = 0;
        List<FlowView> part = check == null ? List.of() : part(1);
        while (!part.isEmpty())
        {
            for (final FlowView flow : part)
            {
                final String difference = check.difference(flow, entries.apply(flow.original()));
                if (difference != null)
                {
                    differences.put(flow.number(), new FlowDifference(flow, difference));
                }
            }
            count += part.size();
            part = part.size() < FLOWS_AT_ONCE ? List.of() : part(part.get(part.size() - 1).number() + 1);
        }
        return count;
    }

    private List<FlowView> part(final int first) throws InterruptedException, ExecutionException
    {
        return control.ask(() -> flows.from(first, FLOWS_AT_ONCE));
    }
}
