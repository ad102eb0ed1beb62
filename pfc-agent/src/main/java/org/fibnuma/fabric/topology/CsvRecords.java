package org.fibnuma.fabric.topology;

import org.fibnuma.core.UserException;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads CSV text with a header line (RFC 4180): quoted fields may contain commas, line ends and doubled quotes. */
final class CsvRecords
{
    private final String file;
    private final String text;
    private final Map<String, Integer> columns = new HashMap<>();
    private final List<Row> rows = new ArrayList<>();
    private int position;
    private int line = 1;

    /** A row with a value for each column, and the line in which it begins. */
    record Row(int line, List<String> values)
    {
    }

    /**
     * Reads all rows.
     *
     * @throws UserException with file and line: an open quote, a row of another length than the header, or a column
     *                       twice.
     */
    CsvRecords(final String file, final String text)
    {
        this.file = file;
        this.text = text.startsWith("\uFEFF") ? text.substring(1) : text;
        final Row header = next();
        if (header != null)
        {
            for (final String name : header.values())
            {
                if (columns.put(name.strip().toLowerCase(Locale.ROOT), columns.size()) != null)
                {
                    throw fault(header.line(), "column \"" + name + "\" exists twice");
                }
            }
        }
        for (Row row = next(); row != null; row = next())
        {
            if (row.values().size() != columns.size())
            {
                throw fault(row.line(), "has " + row.values().size() + " fields, the header " + columns.size());
            }
            rows.add(row);
        }
    }

    /** Returns the next row that is not empty, or null at the end. */
    private Row next()
    {
        while (position < text.length())
        {
            final int first = line;
            final List<String> values = new ArrayList<>();
            boolean isMore = true;
            while (isMore)
            {
                values.add(field(first));
                isMore = position < text.length() && text.charAt(position) == ',';
                position += isMore ? 1 : 0;
            }
            if (position < text.length() && text.charAt(position) == '\r')
            {
                position++;
            }
            if (position < text.length() && text.charAt(position) != '\n')
            {
                throw fault(line, "text follows a closing quote");
            }
            position++;
            line++;
            if (values.size() > 1 || !values.get(0).isEmpty())
            {
                return new Row(first, values);
            }
        }
        return null;
    }

    private String field(final int first)
    {
        if (position < text.length() && text.charAt(position) == '"')
        {
            return quoted(first);
        }
        final int start = position;
        while (position < text.length() && ",\r\n".indexOf(text.charAt(position)) < 0)
        {
            position++;
        }
        return text.substring(start, position);
    }

    private String quoted(final int first)
    {
        final StringBuilder value = new StringBuilder();
        position++;
        while (position < text.length())
        {
            final char next = text.charAt(position++);
            if (next == '"' && (position == text.length() || text.charAt(position) != '"'))
            {
                return value.toString();
            }
            position += next == '"' ? 1 : 0;
            line += next == '\n' ? 1 : 0;
            value.append(next);
        }
        throw fault(first, "a quote is not closed");
    }

    private UserException fault(final int number, final String problem)
    {
        return UserException.usage(file + ":" + number + ": " + problem);
    }

    /** {@return the index of the first of these columns that exists, -1 if none does; names are in lower case} */
    int column(final String... names)
    {
        for (final String name : names)
        {
            if (columns.containsKey(name))
            {
                return columns.get(name);
            }
        }
        return -1;
    }

    List<Row> rows()
    {
        return rows;
    }
}
