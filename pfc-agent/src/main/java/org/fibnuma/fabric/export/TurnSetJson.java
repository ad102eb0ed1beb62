package org.fibnuma.fabric.export;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import org.fibnuma.fabric.tables.TableWalk;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.turns.TurnPairs;
import org.fibnuma.fabric.turns.TurnPlan;
import org.fibnuma.fabric.turns.TurnSet;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Writes the forbidden turn pairs, one object each. Paths per pair may use all other turn pairs. Tables that were
 * planned jointly use some turns that paths per pair must not use: these are listed too.
 */
public final class TurnSetJson
{
    /** Name of the file in the folder of a plan. */
    public static final String FILE = "turns.json";

    private TurnSetJson()
    {
    }

    /** Writes the file to a folder and replaces an existing one; {@code walk} is null without tables. */
    public static void write(
        final Path folder, final TurnPairs pairs, final TurnPlan plan, final TableWalk walk) throws IOException
    {
        try (JsonGenerator json =
            new JsonFactory().createGenerator(folder.resolve(FILE).toFile(), JsonEncoding.UTF8))
        {
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            json.writeStringField("order", plan.order());
            json.writeNumberField("turns", pairs.turnCount());
            json.writeArrayFieldStart("forbidden");
            for (int pair = 0; pair < pairs.count(); pair++)
            {
                if (pairs.isTurn(pair) && !plan.allowed().allowsPair(pairs, pair))
                {
                    writePair(json, pairs, pair);
                }
            }
            json.writeEndArray();
            if (walk != null)
            {
                json.writeArrayFieldStart("onlyInTables");
                for (int lane = 0; lane < walk.laneCount(); lane++)
                {
                    writeOnlyInTables(json, plan.allowed(), walk, lane);
                }
                json.writeEndArray();
            }
            json.writeEndObject();
        }
    }

    private static void writeOnlyInTables(
        final JsonGenerator json, final TurnSet allowed, final TableWalk walk, final int lane) throws IOException
    {
        final Fabric fabric = allowed.fabric();
        for (int in = 0; in < fabric.channelCount(); in++)
        {
            final int node = fabric.target(in);
            for (int out = fabric.firstChannel(node); out < fabric.firstChannel(node + 1); out++)
            {
                if (walk.used(lane).allows(in, out) && !allowed.allows(in, out))
                {
                    json.writeStartObject();
                    json.writeStringField("switch", fabric.switchName(node));
                    json.writeStringField("from", fabric.switchName(fabric.source(in)));
                    json.writeStringField("fromPort", fabric.portName(fabric.reverse(in)));
                    json.writeStringField("to", fabric.switchName(fabric.target(out)));
                    json.writeStringField("toPort", fabric.portName(out));
                    if (walk.laneCount() > 1)
                    {
                        json.writeNumberField("lane", lane);
                    }
                    json.writeEndObject();
                }
            }
        }
    }

    private static void writePair(final JsonGenerator json, final TurnPairs pairs, final int pair) throws IOException
    {
        final Fabric fabric = pairs.fabric();
        json.writeStartObject();
        json.writeStringField("switch", fabric.switchName(pairs.node(pair)));
        json.writeStringField("a", fabric.switchName(fabric.target(pairs.low(pair))));
        json.writeStringField("aPort", fabric.portName(pairs.low(pair)));
        json.writeStringField("b", fabric.switchName(fabric.target(pairs.high(pair))));
        json.writeStringField("bPort", fabric.portName(pairs.high(pair)));
        json.writeEndObject();
    }
}
