package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.service.command.Paragraph;

import java.util.List;

/** Prints the fate of all frames, then the meaning and the remedy of each reason that has occurred. */
final class ShowDrops extends ShowCommand.Query
{
    private static final String MEANING = "meaning";
    private static final String REMEDY = "remedy";

    @Override
    void printText(final JsonNode answer)
    {
        final JsonNode counts = answer.deepCopy();
        counts.path("drops").forEach(row -> ((ObjectNode)row).remove(List.of(MEANING, REMEDY)));
        super.printText(counts);
        for (final JsonNode drop : answer.path("drops"))
        {
            out().println();
            out().println(drop.path("reason").asText());
            out().print(Paragraph.format(drop.path(MEANING).asText()));
            out().print(Paragraph.format(drop.path(REMEDY).asText()));
        }
    }
}
