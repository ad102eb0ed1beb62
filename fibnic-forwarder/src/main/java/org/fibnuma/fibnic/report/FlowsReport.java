package org.fibnuma.fibnic.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.filter.FilterProgram;
import org.fibnuma.core.flow.FlowTuple;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.fibnic.flows.FlowRefusal;
import org.fibnuma.fibnic.flows.FlowStatus;
import org.fibnuma.fibnic.flows.FlowView;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * The flows of a running router as JSON objects, for {@code show flows}. Control thread.
 *
 * @param status      returns the flows in numbers.
 * @param flows       returns flows.
 * @param host        returns the restrictions of the host.
 * @param isForwarded returns whether the packets of flows that any interface receives are forwarded.
 * @param interfaces  returns the name of an interface of the router by its number.
 */
public record FlowsReport(
    Supplier<FlowStatus> status,
    Range flows,
    Supplier<FollowedRestrictions> host,
    BooleanSupplier isForwarded,
    IntFunction<String> interfaces)
{
    /** Most flows that are examined for one answer, which takes a few ms of the control thread. */
    public static final int MAX_FLOWS = 1000;
    /** Number of the first flow. */
    public static final int FIRST = 1;

    private static final String KEPT =
        "restrictions of the host leave all packets to the kernel; fibnuma show host lists them";

    /** A source of flows. */
    @FunctionalInterface
    public interface Range
    {
        /** Returns flows in the order of their numbers, from one on; fewer than {@code most} if there are no more. */
        List<FlowView> from(int first, int most);
    }

    /**
     * Returns the flows in numbers, the reasons of refusals, and some flows.
     *
     * @param filter that the flows match, null for all flows; see {@link FlowFilter}.
     * @param first  lowest number of a flow in the answer, at first {@link #FIRST}.
     * @param limit  most flows in the answer.
     * @return an object with arrays {@code refusals} and {@code flows} and, where there may be more flows, the number
     *         {@code next} for {@code first}.
     */
    public ObjectNode answer(final FilterProgram filter, final int first, final int limit)
    {
        final FlowStatus now = status.get();
        final String obstacle = (now.isFound() || keepingFilters() > 0) && !isForwarded.getAsBoolean() ?
            KEPT : now.obstacle();
        final ObjectNode answer = JsonNodeFactory.instance.objectNode().put("found", obstacle.isEmpty());
        if (!obstacle.isEmpty())
        {
            answer.put("notFound", obstacle);
        }
        answer.put("keptByFilters", keepingFilters())
            .put("count", now.flows())
            .put("capacity", now.capacity())
            .put("tableBytes", now.memoryBytes())
            .put("learned", now.learned())
            .put("ended", now.ended())
            .put("refused", now.refused());
        putRefusals(answer.putArray("refusals"), now);
        putFlows(answer, filter, first, limit);
        return answer;
    }

    /** Returns how many packet filters keep established connections at the kernel. */
    private long keepingFilters()
    {
        return host.get().left().stream()
            .filter(restriction -> restriction.kind().isPacketFilter()).count();
    }

    /** Puts the reasons for which connections did not become flows. */
    static void putRefusals(final ArrayNode rows, final FlowStatus status)
    {
        for (final FlowRefusal refusal : FlowRefusal.values())
        {
            if (status.refused(refusal) > 0)
            {
                rows.addObject().put("reason", refusal.label())
                    .put("connections", status.refused(refusal)).put("meaning", refusal.text());
            }
        }
    }

    private void putFlows(final ObjectNode answer, final FilterProgram program, final int first, final int limit)
    {
        final ArrayNode rows = answer.putArray("flows");
        final List<FlowView> examined = flows.from(Math.max(FIRST, first), MAX_FLOWS);
        int next = 0;
        try (FlowFilter filter = new FlowFilter(program))
        {
            while (next < examined.size() && rows.size() < limit)
            {
                final FlowView flow = examined.get(next);
                next++;
                if (filter.accepts(flow))
                {
                    putFlow(rows.addObject(), flow);
                }
            }
        }
        if (next > 0 && (next < examined.size() || next == MAX_FLOWS))
        {
            answer.put("next", examined.get(next - 1).number() + 1);
        }
    }

    private void putFlow(final ObjectNode row, final FlowView flow)
    {
        row.put("number", flow.number());
        putTuple(row.putObject("original"), flow.original());
        if (flow.isTranslated())
        {
            putTuple(row.putObject("translated"), flow.translated());
        }
        row.put("port", interfaces.apply(flow.ingress()))
            .put("replyPort", interfaces.apply(flow.replyIngress()))
            .put("packets", flow.packets())
            .put("bytes", flow.bytes())
            .put("replyPackets", flow.replyPackets())
            .put("replyBytes", flow.replyBytes())
            .put("ageSeconds", TimeUnit.MILLISECONDS.toSeconds(flow.ageMs()))
            .put("refreshedSeconds", TimeUnit.MILLISECONDS.toSeconds(flow.refreshedMs()));
    }

    private static void putTuple(final ObjectNode object, final FlowTuple tuple)
    {
        object.put("protocol", IpProtocol.name(tuple.protocol()))
            .put("source", IpAddress.format(tuple.sourceHigh(), tuple.sourceLow()))
            .put("destination", IpAddress.format(tuple.destinationHigh(), tuple.destinationLow()));
        if (tuple.isIcmp())
        {
            object.put("identifier", tuple.sourcePort());
        }
        else
        {
            object.put("sourcePort", tuple.sourcePort()).put("destinationPort", tuple.destinationPort());
        }
    }
}
