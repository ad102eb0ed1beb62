package org.fibnuma.fabric.topology;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.UserException;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/**
 * Reads the output of {@code lldpcli -f json show neighbors} of each switch, by the name of the switch. A neighbour
 * with a dump of its own is a switch, any other one a server. One end is enough to find a cable.
 * <p>
 * An end contains the port id and the description of the other end. Neither needs to be the interface name: lldpd may
 * use the MAC address and an alias. Ends with matching names are joined first, then the remaining ends between the same
 * two switches, in the order of the dumps.
 */
final class LldpReader
{
    private final FabricBuilder builder;
    private final Map<String, String> dumps;
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
            this.id = farPort.path("id").path("value").asText();
            this.description = farPort.path("descr").asText(id);
        }

        boolean names(final End far)
        {
            return far.port.equals(description) || far.port.equals(id);
        }
    }

    private LldpReader(final String file, final Map<String, String> dumps)
    {
        this.builder = new FabricBuilder(file);
        this.dumps = dumps;
    }

    static Fabric read(final String file, final Map<String, String> dumps)
    {
        if (dumps.isEmpty())
        {
            throw UserException.usage(file + ": no NAME.json with the output of lldpcli -f json show neighbors");
        }
        return new LldpReader(file, dumps).build(file);
    }

    private Fabric build(final String file)
    {
        dumps.keySet().forEach(name -> builder.addSwitch(name, Fabric.NO_GUID, -1));
        for (final Map.Entry<String, String> dump : dumps.entrySet())
        {
            final String place = file + ": " + dump.getKey();
            builder.at(place);
            final JsonNode lldp = JsonTopologyReader.parse(place, dump.getValue()).path("lldp");
            if (lldp.isMissingNode())
            {
                throw builder.fault("no \"lldp\"; save the output of lldpcli -f json show neighbors");
            }
            for (final JsonNode named : each(lldp.path("interface")))
            {
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
        String neighbor = "";
        for (final Map.Entry<String, JsonNode> chassis : seenAt.path("chassis").properties())
        {
            neighbor = chassis.getKey().equals("id") ? chassis.getValue().path("value").asText() : chassis.getKey();
            if (!chassis.getKey().equals("id"))
            {
                break;
            }
        }
        if (neighbor.isEmpty())
        {
            throw builder.fault("interface " + port + " has a neighbour without a name");
        }
        // A neighbour may send several protocols.
        final End end = new End(port, neighbor, seenAt.path("port"));
        final boolean isNew = ends.computeIfAbsent(name, key -> new LinkedHashMap<>())
            .putIfAbsent(port + '\n' + neighbor, end) == null;
        if (isNew && !dumps.containsKey(neighbor))
        {
            end.isJoined = true;
            builder.addServer(builder.require(name), neighbor);
        }
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
