package org.fibnuma.fibnic.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.rib.RouteKey;

/** What a worker does with a frame to an address. */
public final class LookupReport
{
    private static final int MAX_LENGTH = 32;

    private LookupReport()
    {
    }

    /**
     * Tells about one destination.
     *
     * @param state   of the router.
     * @param address of the destination.
     * @return an object without arrays.
     */
    public static ObjectNode of(final RouterState state, final int address)
    {
        final Ipv4Fib fib = state.shared().fib();
        final int index = fib.lookup(address);
        final Adjacency adjacency = state.shared().adjacencies().get(index);
        final ObjectNode answer = JsonNodeFactory.instance.objectNode()
            .put("address", Ipv4Address.format(address))
            .put("prefix", prefixOf(fib, address))
            .put("kind", Labels.hyphenated(adjacency.kind()))
            .put("adjacency", index);
        if (adjacency.egressPort() >= 0)
        {
            answer.put("port", state.ports().get(adjacency.egressPort()).name()).put("mtu", adjacency.mtu());
        }
        if (adjacency.nextHop() != 0)
        {
            answer.put("nextHop", Ipv4Address.format(adjacency.nextHop()));
        }
        if (adjacency.kind() == AdjacencyKind.FORWARD)
        {
            answer.put("destinationMac", MacAddress.format(adjacency.destinationMac()))
                .put("sourceMac", MacAddress.format(adjacency.sourceMac()));
        }
        return answer;
    }

    private static String prefixOf(final Ipv4Fib fib, final int address)
    {
        for (int length = MAX_LENGTH; length >= 0; length--)
        {
            final long key = RouteKey.of(address, length);
            if (fib.exact(RouteKey.prefix(key), length) != 0)
            {
                return RouteKey.format(key);
            }
        }
        return null;
    }
}
