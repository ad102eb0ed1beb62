package org.fibnuma.fibnic.page;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.fibnic.flows.FlowRefusal;
import org.fibnuma.fibnic.flows.FlowStatus;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Flows in the events of the page. */
class StateFormatTest
{
    @Test
    void shouldHaveFlowsOnlyOnHostsWhosePacketFiltersAreFollowed()
    {
        assertEquals("{}", state(FlowStatus.NONE).toString());
        assertEquals(
            "{\"flows\":{\"count\":3,\"capacity\":64,\"learned\":9,\"refused\":12,\"obstacle\":\"no nft_ct\"}}",
            state(new FlowStatus(true, "no nft_ct", 3, 64, 4096, 9, 6,
                Map.of(FlowRefusal.NOT_ESTABLISHED, 5L, FlowRefusal.HELPER, 7L))).toString());
    }

    private static ObjectNode state(final FlowStatus flows)
    {
        final ObjectNode state = JsonNodeFactory.instance.objectNode();
        StateFormat.putFlows(state, flows);
        return state;
    }
}
