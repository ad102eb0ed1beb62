package org.fibnuma.fabric.topology;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.UserException;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;

/**
 * Reads the output of {@code lldpcli -f json show neighbors} of each switch, or of {@code -f json0}, by the name of the
 * switch. A neighbour with a dump of its own is a switch, any other one a server. Its name is the id of its chassis,
 * such as a MAC address, if it sends no name. One end is enough to find a cable.
 * <p>
 * A neighbour without a dump is left out if the interface has the name of a management port: it is the management
 * network.
 * <p>
 * An end contains the port id and the description of the other end. Neither needs to be the interface name: lldpd may
 * use the MAC address and an alias. Ends with matching names are joined first, then the remaining ends between the same
 * two switches, in the order of the dumps.
 */
final class LldpReader
{
    /** Management ports of SONiC, Linux, NX-OS, EOS, Junos and Cumulus. */
    private static final Pattern MANAGEMENT = Pattern.compile(
        "(?i)eth0|mgmt-?\\d*|ma\\d+(/\\d+)*|management\\d+(/\\d+)*|fxp\\d+|em0|v?me\\d*|re\\d+:mgmt-\\d+");

    private final FabricBuilder builder;
    private final Map<String, String> dumps;
    private final Set<String> ignored;
    private final Map<String, Map<String, End>> ends = new TreeMap<>();

    /** The neighbour at an interface of a switch. */
    private static final class End
    {
        final String port;
        final String neighbor;
        final String id;
        final String description;
        boolean isJoined;

        End(final String port, final String neighbor, final JsonNode farPort)
        {
            this.port = port;
            this.neighbor = neighbor;
            this.id = text(farPort.path("id"));
            this.description = farPort.has("descr") ? text(farPort.path("descr")) : id;
        }

        boolean names(final End far)
        {
            return far.port.equals(description) || far.port.equals(id);
        }
    }

    private LldpReader(final String file, final Map<String, String> dumps, final Set<String> ignored)
    {
        this.builder = new FabricBuilder(file);
        this.dumps = dumps;
        this.ignored = ignored;
    }

    static Fabric read(final String file, final Map<String, String> dumps, final Set<String> ignored)
    {
        if (dumps.isEmpty())
        {
            throw UserException.usage(file + ": no NAME.json with the output of lldpcli -f json show neighbors");
        }
        final Map<String, String> wanted = new TreeMap<>(dumps);
        wanted.keySet().removeAll(ignored);
        return new LldpReader(file, wanted, ignored).build(file);
    }

    private Fabric build(final String file)
    {
        dumps.keySet().forEach(name -> builder.addSwitch(name, Fabric.NO_GUID, -1));
        for (final Map.Entry<String, String> dump : dumps.entrySet())
        {
            final String place = file + ": " + dump.getKey();
            builder.at(place);
            final JsonNode lldp = first(
                JsonTopologyReader.parse(place, dump.getValue()).path("lldp"));
            if (lldp.isMissingNode())
            {
                throw builder.fault("no \"lldp\"; save the output of lldpcli -f json show neighbors");
            }
            for (final JsonNode named : each(lldp.path("interface")))
            {
                if (named.path("name").isTextual())
                {
                    addNeighbor(dump.getKey(), named.path("name").textValue(), named);
                    continue;
                }
                for (final Map.Entry<String, JsonNode> port : named.properties())
                {
                    addNeighbor(dump.getKey(), port.getKey(), port.getValue());
                }
            }
        }
        builder.at(file);
        join((here, there) -> here.names(there) || there.names(here));
        join((here, there) -> true);
        joinUnanswered();
        return builder.build();
    }

    private void addNeighbor(final String name, final String port, final JsonNode seenAt)
    {
        final String neighbor = neighborName(first(seenAt.path("chassis")));
        if (neighbor.isEmpty())
        {
            throw builder.fault("interface " + port + " has a neighbour without a name");
        }
        if (isLeftOut(port, neighbor))
        {
            return;
        }
        // A neighbour may send several protocols.
        final End end = new End(port, neighbor, first(seenAt.path("port")));
        final boolean isNew = ends.computeIfAbsent(name, key -> new LinkedHashMap<>())
            .putIfAbsent(port + '\n' + neighbor, end) == null;
        if (isNew && !dumps.containsKey(neighbor))
        {
            end.isJoined = true;
            builder.addServer(builder.require(name), neighbor);
        }
    }

    /**
     * Returns the name that a neighbour sends, or the id of its chassis. With {@code -f json} the name is the key of
     * the other fields, with {@code -f json0} it is one of them.
     */
    private static String neighborName(final JsonNode chassis)
    {
        if (chassis.path("name").isArray())
        {
            return text(chassis.path("name"));
        }
        final JsonNode id = first(chassis.path("id"));
        return id.has("value") ? text(id) : chassis.isEmpty() ? "" : chassis.fieldNames().next();
    }

    private boolean isLeftOut(final String port, final String neighbor)
    {
        final boolean isManagement = MANAGEMENT.matcher(port).matches() && !dumps.containsKey(neighbor);
        final boolean isIgnored = ignored.contains(port) || ignored.contains(neighbor);
        if (isManagement || isIgnored)
        {
            builder.leaveOut("interface " + port + " to \"" + neighbor + "\" is " +
                (isIgnored ? "ignored" : "a management port") + "; it is left out");
        }
        return isManagement || isIgnored;
    }

    /** Returns a node, or the first element of a list, which {@code -f json0} has everywhere. */
    private static JsonNode first(final JsonNode node)
    {
        return node.isArray() ? node.path(0) : node;
    }

    private static String text(final JsonNode node)
    {
        final JsonNode value = first(node);
        return value.isObject() ? value.path("value").asText() : value.asText();
    }

    private void join(final BiPredicate<End, End> fit)
    {
        ends.forEach((name, seen) -> seen.values().stream().filter(end -> !end.isJoined).forEach(end ->
        {
            for (final End far : ends.getOrDefault(end.neighbor, Map.of()).values())
            {
                if (!end.isJoined && !far.isJoined && far != end && far.neighbor.equals(name) && fit.test(end, far))
                {
                    far.isJoined = true;
                    addCable(name, end, far.port);
                }
            }
        }));
    }

    private void joinUnanswered()
    {
        ends.forEach((name, seen) -> seen.values().stream().filter(end -> !end.isJoined)
            .forEach(end -> addCable(name, end, end.description)));
    }

    private void addCable(final String name, final End end, final String farPort)
    {
        end.isJoined = true;
        builder.addParallelCable(builder.require(name), end.port, builder.require(end.neighbor), farPort);
    }

    /** Returns the interfaces, which lldpcli prints as a list or, if there is only one, as an object. */
    private static List<JsonNode> each(final JsonNode interfaces)
    {
        final List<JsonNode> list = new ArrayList<>();
        if (interfaces.isArray())
        {
            interfaces.forEach(list::add);
        }
        else if (interfaces.isObject())
        {
            list.add(interfaces);
        }
        return list;
    }
}
