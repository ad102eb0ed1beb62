package org.fibnuma.fabric.export;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.turns.TurnPairs;
import org.fibnuma.fabric.turns.TurnPlan;

import java.io.IOException;
import java.nio.file.Path;

/** Writes the forbidden turn pairs, one object each; all other turn pairs are allowed. */
public final class TurnSetJson
{
    /** Name of the file. */
    public static final String FILE = "turns.json";

    private TurnSetJson()
    {
    }

    /**
     * Writes the file and replaces an existing one.
     *
     * @param folder for the file.
     * @param pairs  the turns.
     * @param plan   the allowed turns.
     * @throws IOException if it cannot be written.
     */
    public static void write(final Path folder, final TurnPairs pairs, final TurnPlan plan) throws IOException
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
            json.writeEndObject();
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
