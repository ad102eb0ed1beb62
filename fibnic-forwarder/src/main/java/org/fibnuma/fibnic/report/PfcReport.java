package org.fibnuma.fibnic.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.fibnic.lossless.LosslessReport;
import org.fibnuma.pfc.priority.PfcCounter;

/** The lossless priorities: pauses both ways, headroom, storms and marks. */
public final class PfcReport
{
    private PfcReport()
    {
    }

    /**
     * Tells about every lossless priority of every port.
     *
     * @param state of the router.
     * @return an object with an array {@code priorities}, empty where none is lossless.
     */
    public static ObjectNode of(final RouterState state)
    {
        final LosslessReport report = LosslessReport.of(state.counters());
        final ObjectNode answer = JsonNodeFactory.instance.objectNode();
        final ArrayNode rows = answer.putArray("priorities");
        for (int port = 0; port < state.ports().size(); port++)
        {
            for (int rest = report.priorities(); rest != 0; rest &= rest - 1)
            {
                final int priority = Integer.numberOfTrailingZeros(rest);
                final ObjectNode row = rows.addObject()
                    .put("port", state.ports().get(port).name())
                    .put("priority", priority)
                    .put("pausesBy", state.ports().get(port).hasMacFlowControl() ? "device, router" : "router")
                    .put("storm", report.isStorm(port, priority));
                for (final PfcCounter counter : PfcCounter.values())
                {
                    row.put(Labels.camelCase(counter.label()), report.get(port, priority, counter));
                }
            }
        }
        return answer;
    }
}
