package org.fibnuma.fabric.topology;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.core.UserException;

import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.TreeMap;

/**
 * A JSON object: {@code "switches"}, each a name or {@code {"name", "servers", "level"}} where servers is a number or a
 * list of names (1 where it is not given), and {@code "links"}, each {@code {"a", "b"}} with, for all or none,
 * {@code "aPort"} and {@code "bPort"}: numbers from 1, or interface names. Parallel links need their ports. An object
 * whose values hold {@code "lldp"} is a collection of LLDP dumps, by switch.
 */
final class JsonTopologyReader
{
    private final FabricBuilder builder;
    private final String file;
    private final String text;
    private int servers;

    private JsonTopologyReader(final String file, final String text)
    {
        this.file = file;
        this.text = text;
        this.builder = new FabricBuilder(file);
    }

    static Fabric read(final String file, final String text)
    {
        final JsonNode root = parse(file, text);
        if (root.path("links").isArray() && root.path("switches").isArray())
        {
            return new JsonTopologyReader(file, text).build(root);
        }
        final Map<String, String> dumps = new TreeMap<>();
        for (final Map.Entry<String, JsonNode> entry : root.properties())
        {
            if (entry.getValue().has("lldp"))
            {
                dumps.put(entry.getKey(), entry.getValue().toString());
            }
        }
        if (dumps.isEmpty())
        {
            throw UserException.usage(file + ":1: neither \"switches\" and \"links\" nor LLDP dumps by switch");
        }
        return LldpReader.read(file, dumps);
    }

    static JsonNode parse(final String file, final String text)
    {
        try
        {
            return new ObjectMapper().readTree(text);
        }
        catch (final JsonProcessingException ex)
        {
            throw UserException.usage(file + ":" + (ex.getLocation() == null ? 1 : ex.getLocation().getLineNr()) +
                ": no JSON: " + ex.getOriginalMessage().replace('\n', ' '));
        }
    }

    private Fabric build(final JsonNode root)
    {
        final PrimitiveIterator.OfInt switchLines = JsonLines.ofElements(text, "switches").iterator();
        for (final JsonNode node : root.path("switches"))
        {
            builder.at(file + ":" + switchLines.nextInt());
            final String name = node.isTextual() ? node.textValue() : node.path("name").asText("");
            if (name.isEmpty())
            {
                throw builder.fault("a switch without \"name\"");
            }
            addServers(builder.addSwitch(name, Fabric.NO_GUID, node.path("level").asInt(-1)), node.path("servers"));
        }
        final PrimitiveIterator.OfInt linkLines = JsonLines.ofElements(text, "links").iterator();
        for (final JsonNode link : root.path("links"))
        {
            builder.at(file + ":" + linkLines.nextInt());
            addLink(link);
        }
        return builder.at(file).build();
    }

    private void addServers(final int node, final JsonNode given)
    {
        if (given.isArray())
        {
            given.forEach(name -> builder.addServer(node, name.asText()));
        }
        else
        {
            for (int i = 0; i < given.asInt(1); i++)
            {
                builder.addServer(node, "H" + servers++);
            }
        }
    }

    private void addLink(final JsonNode link)
    {
        final int a = builder.require(link.path("a").asText());
        final int b = builder.require(link.path("b").asText());
        final JsonNode portA = link.path("aPort");
        final JsonNode portB = link.path("bPort");
        if (portA.isInt() && portB.isInt())
        {
            builder.addCable(a, portA.intValue(), b, portB.intValue());
        }
        else if (portA.isTextual() && portB.isTextual())
        {
            builder.addParallelCable(a, b);
            builder.namePorts(portA.textValue(), portB.textValue());
        }
        else if (portA.isMissingNode() && portB.isMissingNode())
        {
            builder.addCable(a, b);
        }
        else
        {
            throw builder.fault("\"aPort\" and \"bPort\" must both be numbers, both be names or both be left out");
        }
    }
}
