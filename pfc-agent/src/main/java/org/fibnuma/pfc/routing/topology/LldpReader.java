package org.fibnuma.pfc.routing.topology;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What {@code lldpcli -f json show neighbors} printed on each switch, by the switch's name. A neighbour that sent a
 * dump too is a switch, every other one a server. A cable is known as soon as one of its ends saw the other.
 */
final class LldpReader
{
    private final FabricBuilder builder;
    private final Map<String, String> dumps;
    private final Map<String, Boolean> seen = new TreeMap<>();

    private LldpReader(final String file, final Map<String, String> dumps)
    {
        this.builder = new FabricBuilder(file);
        this.dumps = dumps;
    }

    static Fabric read(final String file, final Map<String, String> dumps)
    {
        if (dumps.isEmpty())
        {
            throw new TopologyException(file + ": no NAME.json with the output of lldpcli -f json show neighbors");
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
        return builder.at(file).build();
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
            throw builder.fault("interface " + port + " sees a neighbour without a name");
        }
        final JsonNode id = seenAt.path("port").path("id").path("value");
        final JsonNode description = seenAt.path("port").path("descr");
        final String far = description.isTextual() ? description.textValue() : id.asText();
        if (!dumps.containsKey(neighbor))
        {
            builder.addServer(builder.require(name), neighbor);
        }
        else if (seen.put(name + '\n' + port, true) == null && seen.put(neighbor + '\n' + far, true) == null)
        {
            builder.addParallelCable(builder.require(name), builder.require(neighbor));
            builder.namePorts(port, far);
        }
    }

    /** The interfaces, which lldpcli gives as a list or, where there is only one, by itself. */
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
