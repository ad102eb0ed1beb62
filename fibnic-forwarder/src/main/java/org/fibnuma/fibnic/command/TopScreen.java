package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.JsonNode;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes figures of a router as lines that fit a screen. */
final class TopScreen
{
    /** No limit of columns or rows, for a file or a pipe. */
    static final int UNLIMITED = Integer.MAX_VALUE;

    private static final String GAP = "  ";
    private static final int NUMBER_WIDTH = 9;
    private static final int HEAD_LINES = 2;
    /** An empty line and the headings. */
    private static final int LINES_ABOVE_TABLE = 2;
    private static final double THOUSAND = 1000;
    private static final String UNITS = "kMGT";

    private TopScreen()
    {
    }

    /**
     * Returns the lines of a screen.
     *
     * @param figures made by {@link TopFigures#between}.
     * @param columns of the screen; longer lines are cut.
     * @param rows    of the screen; the last line of a cut table has the number of missing rows.
     * @return at most {@code rows} lines.
     */
    static List<AttributedString> lines(final JsonNode figures, final int columns, final int rows)
    {
        final List<Table> tables = List.of(ports(figures), drops(figures), workers(figures));
        int room = rows == UNLIMITED ? UNLIMITED : rows - HEAD_LINES - tables.size() * LINES_ABOVE_TABLE;
        final List<AttributedString> lines = new ArrayList<>();
        lines.add(new AttributedString("router " + figures.get("router").asText() + GAP + "over " +
            decimal(figures.get("seconds")) + " s"));
        lines.add(new AttributedString("packets/s:  received " + number(figures.get("received")) +
            GAP + "forwarded " + number(figures.get("forwarded")) + GAP + "punted " + number(figures.get("punted")) +
            GAP + "dropped " + number(figures.get("dropped")) + GAP + "held now " + figures.get("held").asLong()));
        int others = tables.size();
        for (final Table table : tables)
        {
            others--;
            room -= table.addTo(lines, Math.max(1, room - others));
        }
        final List<AttributedString> cut = new ArrayList<>();
        for (final AttributedString line : lines.subList(0, Math.min(rows, lines.size())))
        {
            cut.add(line.columnLength() > columns ? line.columnSubSequence(0, columns) : line);
        }
        return cut;
    }

    private static Table ports(final JsonNode figures)
    {
        final Table table = new Table("PORT", "STATE", "RX PKT/S", "RX BIT/S", "TX PKT/S", "TX BIT/S", "LOST/S");
        for (final JsonNode row : figures.get("ports"))
        {
            table.rows.add(List.of(
                row.get("name").asText(), row.get("state").asText(), number(row.get("rxFrames")),
                number(row.get("rxBits")), number(row.get("txFrames")), number(row.get("txBits")),
                number(row.get("lost"))));
        }
        return table;
    }

    private static Table drops(final JsonNode figures)
    {
        final Table table = new Table("DROP REASON", "", "PKT/S", "TOTAL");
        for (final JsonNode row : figures.get("drops"))
        {
            table.rows.add(List.of(
                row.get("reason").asText(), "", number(row.get("frames")), number(row.get("total"))));
        }
        return table;
    }

    private static Table workers(final JsonNode figures)
    {
        final Table table = new Table("WORKER", "", "PKT/S", "BATCH", "BUSY %", "CPU %", "NS/PKT");
        for (final JsonNode row : figures.get("workers"))
        {
            table.rows.add(List.of(
                row.get("worker").asText(), "", number(row.get("frames")), decimal(row.get("batch")),
                decimal(row.get("busyPercent")), decimal(row.get("cpuPercent")), number(row.get("nsPerFrame"))));
        }
        return table;
    }

    /** Formats three digits and a decimal unit, such as {@code 12.3k}. */
    static String number(final JsonNode value)
    {
        if (value.isNull())
        {
            return "-";
        }
        double rest = value.asDouble();
        if (Math.round(rest) < THOUSAND)
        {
            return Long.toString(Math.round(rest));
        }
        int unit = -1;
        while (rest >= THOUSAND - 0.5 && unit < UNITS.length() - 1)
        {
            rest /= THOUSAND;
            unit++;
        }
        final int decimals = rest < 9.995 ? 2 : rest < 99.95 ? 1 : 0;
        return String.format(Locale.ROOT, "%." + decimals + "f%c", rest, UNITS.charAt(unit));
    }

    private static String decimal(final JsonNode value)
    {
        return value.isNull() ? "-" : String.format(Locale.ROOT, "%.1f", value.asDouble());
    }

    /** Two columns of text, then columns of numbers. */
    private static final class Table
    {
        private static final int TEXT_COLUMNS = 2;

        private final List<String> headings;
        private final List<List<String>> rows = new ArrayList<>();

        Table(final String... headings)
        {
            this.headings = List.of(headings);
        }

        /** Adds the table with as many rows as fit, or one line instead; returns the number of these lines. */
        int addTo(final List<AttributedString> lines, final int room)
        {
            lines.add(AttributedString.EMPTY);
            lines.add(new AttributedString(line(headings), AttributedStyle.BOLD));
            final boolean isCut = rows.size() > room;
            final int shown = isCut ? room - 1 : rows.size();
            for (int i = 0; i < shown; i++)
            {
                lines.add(new AttributedString(line(rows.get(i))));
            }
            if (isCut)
            {
                lines.add(new AttributedString("and " + (rows.size() - shown) + " more"));
            }
            else if (rows.isEmpty())
            {
                lines.add(new AttributedString("none"));
            }
            return Math.max(1, isCut ? room : rows.size());
        }

        private String line(final List<String> cells)
        {
            final StringBuilder text = new StringBuilder();
            for (int column = 0; column < cells.size(); column++)
            {
                final String cell = cells.get(column);
                if (column < TEXT_COLUMNS)
                {
                    text.append(cell).append(" ".repeat(width(column) - cell.length()));
                }
                else
                {
                    text.append(" ".repeat(Math.max(0, NUMBER_WIDTH - cell.length()))).append(cell);
                }
                text.append(column == 1 && width(1) == 0 ? "" : GAP);
            }
            return text.toString().stripTrailing();
        }

        private int width(final int column)
        {
            int width = headings.get(column).length();
            for (final List<String> row : rows)
            {
                width = Math.max(width, row.get(column).length());
            }
            return width;
        }
    }
}
