package org.fibnuma.fibnic.verify;

import org.fibnuma.binding.conntrack.ConntrackEntry;
import org.fibnuma.binding.netfilter.FlowLabels;
import org.fibnuma.core.flow.FlowTuple;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.fibnic.flows.FlowCheck;
import org.fibnuma.fibnic.flows.FlowView;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Flows that change while they are compared with a conntrack without entries. */
class FlowComparisonTest
{
    private static final FlowCheck CHECK = new FlowCheck(new FlowLabels(2), 1, new int[]{0, 1});
    private static final int MANY = 2500;

    private final List<FlowView> flows = new ArrayList<>();
    private final List<Integer> parts = new ArrayList<>();
    private FlowCheck check = CHECK;

    @Test
    void shouldReportAFlowWithoutAnEntry() throws Exception
    {
        flows.add(flow(3, 7));
        final FlowComparison.Result result = run(tuple -> null);
        assertEquals(1, result.flows());
        assertEquals(
            List.of(new FlowComparison.FlowDifference(flow(3, 7), "conntrack has no entry")), result.differences());
    }

    @Test
    void shouldNotReportAFlowThatEndsMeanwhile() throws Exception
    {
        flows.add(flow(3, 7));
        assertEquals(List.of(), run(tuple ->
        {
            flows.clear();
            return null;
        }).differences());
    }

    @Test
    void shouldNotReportAnotherFlowWithTheSameNumber() throws Exception
    {
        flows.add(flow(3, 7));
        final int[] id = {7};
        assertEquals(List.of(), run(tuple ->
        {
            id[0]++;
            flows.set(0, flow(3, id[0]));
            return null;
        }).differences());
    }

    @Test
    void shouldNotReportFlowsThatAreNoLongerFound() throws Exception
    {
        flows.add(flow(3, 7));
        assertEquals(List.of(), run(tuple ->
        {
            check = null;
            return null;
        }).differences());
    }

    @Test
    void shouldReadManyFlowsInParts() throws Exception
    {
        for (int i = 1; i <= MANY; i++)
        {
            flows.add(flow(2 * i, i));
        }
        final FlowComparison.Result result = run(tuple -> null);
        assertEquals(MANY, result.flows());
        assertEquals(MANY, result.differences().size());
        assertEquals(List.of(1, 2001, 4001), parts.subList(0, 3));
        assertEquals(9, parts.size(), "in three rounds");
    }

    private FlowComparison.Result run(final Function<FlowTuple, ConntrackEntry> entries)
        throws InterruptedException, ExecutionException
    {
        return new FlowComparison(this::ask, () -> check, this::from, entries).run();
    }

    private <T> T ask(final Supplier<T> question)
    {
        return question.get();
    }

    private List<FlowView> from(final int first, final int most)
    {
        parts.add(first);
        return flows.stream().filter(flow -> flow.number() >= first).limit(most).toList();
    }

    private static FlowView flow(final int number, final int id)
    {
        final IpAddress source = IpAddress.parse("10.0.0.2");
        final IpAddress destination = IpAddress.parse("192.0.2.9");
        final FlowTuple tuple = new FlowTuple(source.high(), source.low(), destination.high(), destination.low(),
            IpProtocol.UDP, number, 53);
        return new FlowView(number, id, tuple, tuple.inverse(), 0, 1, 0, 0, 0, 0, 0, 0);
    }
}
