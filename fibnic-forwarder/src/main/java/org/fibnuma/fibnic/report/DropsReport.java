package org.fibnuma.fibnic.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateReport;
import org.fibnuma.fibnic.fate.ForwarderCounter;

/** What became of all frames, and why some were dropped. */
public final class DropsReport
{
    private DropsReport()
    {
    }

    /**
     * Tells about every fate.
     *
     * @param state of the router.
     * @return an object with each counter, {@code balanced}, and an array {@code drops} of the reasons that happened.
     */
    public static ObjectNode of(final RouterState state)
    {
        final FateReport fates = FateReport.of(state.counters());
        final ObjectNode answer = JsonNodeFactory.instance.objectNode();
        for (final ForwarderCounter counter : ForwarderCounter.values())
        {
            answer.put(Labels.camelCase(counter.label()), fates.get(counter));
        }
        answer.put("dropped", fates.dropped()).put("balanced", fates.isBalanced());
        final ArrayNode drops = answer.putArray("drops");
        for (final DropReason reason : DropReason.values())
        {
            if (fates.get(reason) > 0)
            {
                drops.addObject().put("reason", reason.label()).put("frames", fates.get(reason));
            }
        }
        return answer;
    }
}
