package org.fibnuma.fibnic.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.kernel.InterfacePolicy;
import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.fibnic.fate.FateReport;
import org.fibnuma.fibnic.fate.PortTraffic;

/** The ports: where they are, how frames move, what went through. */
public final class PortsReport
{
    private PortsReport()
    {
    }

    /**
     * Tells about every port.
     *
     * @param state of the router.
     * @return an object with an array {@code ports}.
     */
    public static ObjectNode of(final RouterState state)
    {
        final FateReport fates = FateReport.of(state.counters());
        final ObjectNode answer = JsonNodeFactory.instance.objectNode()
            .put("hostRestrictionsBypassed", state.host().get().restrictions().size());
        final ArrayNode ports = answer.putArray("ports");
        for (int index = 0; index < state.ports().size(); index++)
        {
            final Port port = state.ports().get(index);
            final ObjectNode node = ports.addObject().put("name", port.name()).put("device", port.device())
                .put("mode", port.mode());
            putException(node, state.exceptions().get(index));
            putLink(node, state, index);
            putPolicy(node, state, index);
            for (final PortTraffic traffic : PortTraffic.values())
            {
                node.put(Labels.camelCase(traffic.label()), fates.get(index, traffic));
            }
            for (final PortCounter counter : PortCounter.values())
            {
                node.put(Labels.camelCase(counter.label()), port.deviceCounter(counter));
            }
        }
        return answer;
    }

    /** What stands in the kernel for the port, and what got lost on the way there and back. */
    private static void putException(final ObjectNode node, final Port exception)
    {
        if (exception != null)
        {
            node.put("exception", exception.device())
                .put("exceptionRefused", exception.deviceCounter(PortCounter.TX_INVALID))
                .put("exceptionTooLong", exception.deviceCounter(PortCounter.RX_DROPPED));
        }
    }

    /** Who forwards what comes in by the port, and how its sources are checked. */
    private static void putPolicy(final ObjectNode node, final RouterState state, final int port)
    {
        final InterfacePolicy policy = state.host().get().of(state.tables().links().interfaceOf(port));
        node.put("forwarding", policy.forwarding() ? "router" : "kernel")
            .put("reversePath", Labels.hyphenated(policy.reversePath()));
    }

    private static void putLink(final ObjectNode node, final RouterState state, final int port)
    {
        final KernelLink link = state.tables().links().get(state.tables().links().interfaceOf(port));
        node.put("state", link == null || !state.tables().links().isCarried(port) ? "gone" : link.up() ? "up" : "down");
        if (link != null)
        {
            node.put("mac", MacAddress.format(link.macAddress())).put("mtu", link.mtu());
        }
        final ArrayNode addresses = node.putArray("addresses");
        for (final KernelAddress address : state.tables().addressesOf(port))
        {
            addresses.add(Ipv4Address.format(address.address()) + "/" + address.prefixLength());
        }
    }
}
