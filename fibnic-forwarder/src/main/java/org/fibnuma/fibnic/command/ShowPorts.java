package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.UserException;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.ports.InterfaceSpeed;
import org.fibnuma.pfc.quanta.LinkSpeed;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * Prints the ports and the VLAN interfaces as tables, or one of them with all its fields. Text has rates, for which two
 * requests are sent.
 */
final class ShowPorts extends ShowCommand.Query
{
    private static final String PORTS = "ports";
    private static final String VLANS = "vlans";
    private static final String NAME = "name";
    private static final String PORT = "port";
    private static final String STATE = "state";
    private static final String ADDRESSES = "addresses";
    private static final String FLOWS = "flows";
    private static final long RATE_TIME_NS = TimeUnit.SECONDS.toNanos(1);
    private static final double NANOS_PER_SECOND = 1e9;

    @Parameters(
        arity = "0..1", paramLabel = "PORT",
        description = "Port or VLAN interface to print with all its fields (default: tables of all).")
    private String wanted;

    private JsonNode last;
    private long lastNs;

    @Override
    JsonNode answer(final ControlClient client) throws IOException
    {
        if (!isJson())
        {
            if (last == null)
            {
                next(client);
                awaitRates();
            }
            final JsonNode from = last;
            final long fromNs = lastNs;
            next(client);
            final double seconds = (lastNs - fromNs) / NANOS_PER_SECOND;
            return wanted == null ? tables(from, last, seconds, ShowPorts::speed) :
                detail(from, last, seconds, ShowPorts::speed);
        }
        next(client);
        return last;
    }

    private void next(final ControlClient client) throws IOException
    {
        final JsonNode answer = super.answer(client);
        last = wanted == null ? answer : only(wanted, answer);
        lastNs = System.nanoTime();
    }

    private static void awaitRates()
    {
        try
        {
            TimeUnit.NANOSECONDS.sleep(RATE_TIME_NS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private static JsonNode only(final String name, final JsonNode answer)
    {
        final ObjectNode only = answer.deepCopy();
        final List<String> names = new ArrayList<>();
        for (final String kind : List.of(PORTS, VLANS))
        {
            final ArrayNode rows = only.putArray(kind);
            for (final JsonNode row : answer.get(kind))
            {
                names.add(row.get(NAME).asText());
                if (row.get(NAME).asText().equals(name))
                {
                    rows.add(row);
                }
            }
        }
        if (!names.contains(name))
        {
            throw new UserException("there is no port \"" + name + "\"; the ports are " + String.join(", ", names));
        }
        return only;
    }

    /**
     * Returns the answer with narrower arrays {@code ports} and {@code vlans}.
     *
     * @param from    earlier answer of the router.
     * @param to      later answer of the router.
     * @param seconds between them.
     * @param speed   returns the bits per second of a port, 0 if unknown.
     */
    static ObjectNode tables(
        final JsonNode from, final JsonNode to, final double seconds, final ToLongFunction<JsonNode> speed)
    {
        final ObjectNode tables = to.deepCopy();
        final ArrayNode ports = tables.putArray(PORTS);
        final List<ObjectNode> portRates = TopFigures.ports(from.path(PORTS), to.path(PORTS), seconds);
        for (final JsonNode port : to.path(PORTS))
        {
            final long bits = speed.applyAsLong(port);
            final ObjectNode row = ports.addObject()
                .put(NAME, port.path(NAME).asText())
                .put("device", port.path("device").asText())
                .put("mode", port.path("mode").asText().replaceAll(",.*", ""))
                .put("link", port.path(STATE).asText() + (bits == 0 ? "" : " " + LinkSpeed.format(bits)))
                .put("forwarding", forwarding(port));
            putRates(row, portRates.get(ports.size() - 1));
            row.put("lost", TopScreen.number(port.path("lost"))).put("dropped", TopScreen.number(port.path("dropped")));
        }
        final ArrayNode vlans = tables.putArray(VLANS);
        final List<ObjectNode> vlanRates = TopFigures.ports(from.path(VLANS), to.path(VLANS), seconds);
        for (final JsonNode vlan : to.path(VLANS))
        {
            final ObjectNode row = vlans.addObject()
                .put("vlan", vlan.path(NAME).asText())
                .put(PORT, vlan.path(PORT).asText())
                .put("receives", framesOf(vlan))
                .put("link", vlan.path(STATE).asText())
                .put("forwarding", forwarding(vlan));
            putRates(row, vlanRates.get(vlans.size() - 1));
        }
        return tables;
    }

    /** Returns by what the frames of a VLAN or macvlan interface are known: its tags, its MAC address, or both. */
    private static String framesOf(final JsonNode vlan)
    {
        final List<String> parts = new ArrayList<>();
        if (vlan.path("macvlan").asBoolean())
        {
            parts.add("to " + vlan.path("mac").asText());
        }
        if (vlan.has("outer"))
        {
            parts.add(vlan.path("outerProtocol").asText() + " " + vlan.path("outer").asText());
        }
        if (vlan.has("id"))
        {
            parts.add(vlan.path("protocol").asText() + " " + vlan.path("id").asText());
        }
        return String.join(" ", parts);
    }

    /** Returns all fields, the speed and the rates of the only row of two answers; parameters as in {@link #tables}. */
    static ObjectNode detail(
        final JsonNode from, final JsonNode to, final double seconds, final ToLongFunction<JsonNode> speed)
    {
        final String kind = to.get(PORTS).isEmpty() ? VLANS : PORTS;
        final JsonNode row = to.get(kind).get(0);
        final ObjectNode detail = JsonNodeFactory.instance.objectNode();
        row.properties().forEach(field -> detail.set(field.getKey(), field.getValue()));
        final List<String> addresses = new ArrayList<>();
        row.path(ADDRESSES).forEach(address -> addresses.add(address.asText()));
        detail.put(ADDRESSES, addresses.isEmpty() ? "none" : String.join(", ", addresses));
        final long bits = speed.applyAsLong(row);
        detail.put("speed", bits == 0 ? "unknown" : LinkSpeed.format(bits));
        putRates(detail, TopFigures.ports(from.get(kind), to.get(kind), seconds).get(0));
        return detail;
    }

    /** Puts packets and bits per second; frames count without FCS. */
    private static void putRates(final ObjectNode row, final JsonNode rates)
    {
        row.put("rxPkt/s", TopScreen.number(rates.get("rxFrames")))
            .put("rxBit/s", TopScreen.number(rates.get("rxBits")))
            .put("txPkt/s", TopScreen.number(rates.get("txFrames")))
            .put("txBit/s", TopScreen.number(rates.get("txBits")));
    }

    /**
     * Returns "router" or "kernel", or "flows" if of either family only flows are forwarded, or the only family that
     * the router forwards.
     */
    private static String forwarding(final JsonNode row)
    {
        final String ipv4 = row.path("forwarding").asText();
        final String ipv6 = row.path("ipv6Forwarding").asText(ipv4);
        return ipv4.equals(ipv6) ? ipv4 :
            ipv4.equals(FLOWS) || ipv6.equals(FLOWS) ? FLOWS :
            ipv4.equals("router") ? "ipv4 only" : "ipv6 only";
    }

    private static long speed(final JsonNode port)
    {
        return port.has("interface") ?
            InterfaceSpeed.read(port.get("interface").asText(), port.path("mac").asText()) : InterfaceSpeed.UNKNOWN;
    }
}
