package org.fibnuma.fibnic.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.fibnic.rib.LinkTable;

/** The neighbours on the ports. */
public final class NeighborsReport
{
    private NeighborsReport()
    {
    }

    /**
     * Tells about every neighbour.
     *
     * @param state of the router.
     * @return an object with an array {@code neighbors}.
     */
    public static ObjectNode of(final RouterState state)
    {
        final ObjectNode answer = JsonNodeFactory.instance.objectNode();
        final ArrayNode neighbors = answer.putArray("neighbors");
        for (final KernelNeighbor neighbor : state.tables().neighbors())
        {
            final int port = state.tables().links().portOf(neighbor.interfaceIndex());
            if (port != LinkTable.NO_PORT)
            {
                neighbors.addObject()
                    .put("address", Ipv4Address.format(neighbor.address()))
                    .put("port", state.ports().get(port).name())
                    .put("mac", neighbor.macAddress() == 0 ? null : MacAddress.format(neighbor.macAddress()))
                    .put("state", Labels.hyphenated(neighbor.state()));
            }
        }
        return answer;
    }
}
