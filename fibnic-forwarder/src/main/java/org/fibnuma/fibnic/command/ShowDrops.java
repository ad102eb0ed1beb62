package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.List;

/** Prints the fate of all frames, and below it the meaning of each reason that has occurred and what to do about it. */
final class ShowDrops extends ShowCommand.Query
{
    private static final String MEANING = "meaning";
    private static final String REMEDY = "remedy";
    private static final String INDENT = "  ";
    private static final int COLUMNS = 80;

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
            out().print(paragraph(drop.path(MEANING).asText()));
            out().print(paragraph(drop.path(REMEDY).asText()));
        }
    }

    /** Returns lines of at most {@link #COLUMNS} with an indent, unless a word is longer. */
    static String paragraph(final String text)
    {
        final StringBuilder lines = new StringBuilder();
        int column = 0;
        for (final String word : text.split(" "))
        {
            if (column > 0 && column + 1 + word.length() > COLUMNS)
            {
                lines.append(System.lineSeparator());
                column = 0;
            }
            lines.append(column == 0 ? INDENT : " ").append(word);
            column += (column == 0 ? INDENT.length() : 1) + word.length();
        }
        return lines.append(System.lineSeparator()).toString();
    }
}
