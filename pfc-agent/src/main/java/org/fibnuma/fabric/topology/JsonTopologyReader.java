package org.fibnuma.fabric.topology;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.core.UserException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Reads a JSON object with {@code "switches"} and {@code "links"}, or a collection of LLDP dumps by switch: an object
 * whose values contain {@code "lldp"}.
 * <p>
 * A switch is a name or {@code {"name", "servers", "level"}}; servers are a number, by default 1, or a list of names. A
 * link is {@code {"a", "b"}}. It may have both {@code "aPort"} and {@code "bPort"}: numbers from 1, or interface names.
 * Parallel links need them.
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

    static Fabric read(final String file, final String text, final Set<String> ignored)
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
        return LldpReader.read(file, dumps, ignored);
    }

    static JsonNode parse(final String file, final String text)
    {
        try
        {
            return new ObjectMapper().readTree(text);
        }
        catch (final JsonProcessingException ex)
        {
            throw TextFile.notJson(file, ex);
        }
    }

    private Fabric build(final JsonNode root)
    {
        final PrimitiveIterator.OfInt switchLines = linesOf("switches");
        for (final JsonNode node : root.path("switches"))
        {
            builder.at(file + ":" + switchLines.nextInt());
            final String name = node.isTextual() ? node.textValue() : node.path("name").asText("");
            if (name.isEmpty())
            {
                throw builder.fault("a switch has no \"name\"");
            }
            builder.addSwitch(name, Fabric.NO_GUID, node.path("level").asInt(-1));
        }
        // Servers take free ports: those that links have by number are not free.
        final boolean areLinksFirst = hasPortNumbers(root.path("links"));
        if (!areLinksFirst)
        {
            addServers(root.path("switches"));
        }
        final PrimitiveIterator.OfInt linkLines = linesOf("links");
        for (final JsonNode link : root.path("links"))
        {
            builder.at(file + ":" + linkLines.nextInt());
            addLink(link);
        }
        if (areLinksFirst)
        {
            addServers(root.path("switches"));
        }
        return builder.at(file).build();
    }

    private static boolean hasPortNumbers(final JsonNode links)
    {
        for (final JsonNode link : links)
        {
            if (link.path("aPort").isInt())
            {
                return true;
            }
        }
        return false;
    }

    private void addServers(final JsonNode switches)
    {
        int node = 0;
        for (final JsonNode each : switches)
        {
            addServers(node++, each.path("servers"));
        }
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
            builder.addParallelCable(a, portA.textValue(), b, portB.textValue());
        }
        else if (portA.isMissingNode() && portB.isMissingNode())
        {
            builder.addCable(a, b);
        }
        else
        {
            throw builder.fault("\"aPort\" and \"bPort\" must both be numbers, both be names or both be omitted");
        }
    }

    /** Returns the line of each element of an array of the outermost object: a parsed tree has no lines. */
    private PrimitiveIterator.OfInt linesOf(final String array)
    {
        IntStream.Builder lines = IntStream.builder();
        try (JsonParser parser = new JsonFactory().createParser(text))
        {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME)
            {
                final boolean isWanted = parser.currentName().equals(array);
                if (parser.nextToken() == JsonToken.START_ARRAY && isWanted)
                {
                    lines = IntStream.builder();
                    while (parser.nextToken() != JsonToken.END_ARRAY)
                    {
                        lines.add(parser.currentTokenLocation().getLineNr());
                        parser.skipChildren();
                    }
                }
                parser.skipChildren();
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        return lines.build().iterator();
    }
}
