package org.fibnuma.fibnic.config;

import org.tomlj.TomlArray;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * One table of the file. What is missing or wrong is noted in the problems and read as the default, so that reading
 * goes on to the next problem.
 */
final class TomlSection
{
    private final ConfigProblems problems;
    private final String path;
    private final TomlTable table;
    private final int line;
    private final Set<String> knownKeys = new TreeSet<>();

    TomlSection(final ConfigProblems problems, final String path, final TomlTable table, final int line)
    {
        this.problems = problems;
        this.path = path;
        this.table = table;
        this.line = line;
    }

    boolean has(final String key)
    {
        knownKeys.add(key);
        return table.contains(List.of(key));
    }

    String string(final String key, final String defaultValue)
    {
        final Object value = get(key);
        if (value == null || value instanceof String)
        {
            return value == null ? defaultValue : (String)value;
        }
        wrong(key, "is " + typeOf(value) + "; give a string in quotes");
        return defaultValue;
    }

    /** Parses a string; where that fails, the parser's message becomes the problem. */
    <T> T parsed(final String key, final Function<String, T> parser, final T defaultValue)
    {
        final String text = string(key, null);
        return text == null ? defaultValue : parse(key, text, parser, defaultValue);
    }

    <T> T parse(final String key, final String text, final Function<String, T> parser, final T defaultValue)
    {
        try
        {
            return parser.apply(text);
        }
        catch (final IllegalArgumentException ex)
        {
            wrong(key, ex.getMessage());
            return defaultValue;
        }
    }

    String oneOf(final String key, final List<String> choices, final String defaultValue)
    {
        final String value = string(key, defaultValue);
        if (value == null || choices.contains(value))
        {
            return value;
        }
        wrong(key, "\"" + value + "\" is not known; one of " + String.join(", ", choices));
        return defaultValue;
    }

    int integer(final String key, final int min, final int max, final int defaultValue)
    {
        final Object value = get(key);
        return value == null ? defaultValue : integerValue(key, value, min, max, defaultValue);
    }

    int powerOfTwo(final String key, final int min, final int max, final int defaultValue)
    {
        final int value = integer(key, min, max, defaultValue);
        if (Integer.bitCount(value) != 1)
        {
            wrong(key, value + " is not a power of two; give " + Integer.highestOneBit(value) + " or " +
                2 * Integer.highestOneBit(value));
            return defaultValue;
        }
        return value;
    }

    boolean bool(final String key, final boolean defaultValue)
    {
        final Object value = get(key);
        if (value == null || value instanceof Boolean)
        {
            return value == null ? defaultValue : (Boolean)value;
        }
        wrong(key, "is " + typeOf(value) + "; give true or false");
        return defaultValue;
    }

    List<Integer> integers(final String key, final int min, final int max)
    {
        final List<Integer> values = new ArrayList<>();
        for (final Object value : array(key, "[0, 1]"))
        {
            values.add(integerValue(key, value, min, max, min));
        }
        return values;
    }

    List<String> strings(final String key)
    {
        final List<String> values = new ArrayList<>();
        for (final Object value : array(key, "[\"10.0.0.1/24\"]"))
        {
            if (value instanceof String)
            {
                values.add((String)value);
            }
            else
            {
                wrong(key, "holds " + typeOf(value) + "; give strings in quotes");
            }
        }
        return values;
    }

    TomlSection table(final String key)
    {
        final Object value = get(key);
        if (value != null && !(value instanceof TomlTable))
        {
            wrong(key, "is " + typeOf(value) + "; write a table [" + key + "]");
        }
        return value instanceof TomlTable ? new TomlSection(problems, key, (TomlTable)value, lineOf(key)) : null;
    }

    List<TomlSection> tables(final String key)
    {
        final List<TomlSection> sections = new ArrayList<>();
        final Object value = get(key);
        if (value instanceof TomlArray && ((TomlArray)value).toList().stream().allMatch(TomlTable.class::isInstance))
        {
            final TomlArray array = (TomlArray)value;
            for (int i = 0; i < array.size(); i++)
            {
                sections.add(new TomlSection(problems, key, array.getTable(i), array.inputPositionOf(i).line()));
            }
        }
        else if (value != null)
        {
            wrong(key, "is " + typeOf(value) + "; write each one as a table [[" + key + "]]");
        }
        return sections;
    }

    /** To be called after every key that may be there was asked for. */
    void refuseUnknownKeys()
    {
        for (final String key : table.keySet())
        {
            if (!knownKeys.contains(key))
            {
                wrong(key, "unknown key; known are " + String.join(", ", knownKeys));
            }
        }
    }

    void missing(final String key, final String whatToDo)
    {
        wrong(key, "is missing; " + whatToDo);
    }

    void wrong(final String key, final String what)
    {
        problems.add(lineOf(key), (path.isEmpty() ? key : path + "." + key) + ": " + what);
    }

    int lineOf(final String key)
    {
        final TomlPosition position = table.inputPositionOf(List.of(key));
        return position == null ? line : position.line();
    }

    private Object get(final String key)
    {
        knownKeys.add(key);
        return table.get(List.of(key));
    }

    private int integerValue(
        final String key, final Object value, final int min, final int max, final int defaultValue)
    {
        if (!(value instanceof Long))
        {
            wrong(key, "is " + typeOf(value) + "; give a number from " + min + " to " + max);
            return defaultValue;
        }
        final long number = (Long)value;
        if (number < min || number > max)
        {
            wrong(key, number + " is out of range; give " + min + " to " + max);
            return defaultValue;
        }
        return (int)number;
    }

    private List<Object> array(final String key, final String example)
    {
        final Object value = get(key);
        if (value != null && !(value instanceof TomlArray))
        {
            wrong(key, "is " + typeOf(value) + "; give an array such as " + example);
        }
        return value instanceof TomlArray ? ((TomlArray)value).toList() : List.of();
    }

    private static String typeOf(final Object value)
    {
        if (value instanceof String)
        {
            return "a string";
        }
        if (value instanceof Long || value instanceof Double)
        {
            return "a number";
        }
        if (value instanceof Boolean)
        {
            return "true or false";
        }
        return value instanceof TomlTable ? "a table" : value instanceof TomlArray ? "an array" : "a date";
    }
}
