package org.fibnuma.fibnic.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.kernel.HostRestriction;

import java.util.List;

/** What the host has decided about packets that it forwards and that the router does not follow. */
public final class HostReport
{
    private HostReport()
    {
    }

    /**
     * Tells about every restriction of the host that frames bypass.
     *
     * @param state of the router.
     * @return an object with their number, {@code bypassed}, and an array {@code restrictions}.
     */
    public static ObjectNode of(final RouterState state)
    {
        final List<HostRestriction> restrictions = state.host().get().restrictions();
        final ObjectNode answer = JsonNodeFactory.instance.objectNode().put("bypassed", restrictions.size());
        final ArrayNode rows = answer.putArray("restrictions");
        for (final HostRestriction restriction : restrictions)
        {
            rows.addObject()
                .put("kind", Labels.hyphenated(restriction.kind()))
                .put("bypassed", restriction.text())
                .put("command", restriction.command());
        }
        return answer;
    }
}
