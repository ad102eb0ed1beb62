package org.fibnuma.core.config;

import org.tomlj.Toml;
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
public final class TomlSection
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

    /**
     * A table below this one, or an empty one in its place where the key is missing.
     *
     * @param key name in this table.
     * @return a table to ask for its keys.
     */
    public TomlSection tableOrEmpty(final String key)
    {
        final TomlSection section = table(key);
        return section == null ? new TomlSection(problems, pathOf(key), Toml.parse(""), 1) : section;
    }

    /**
     * Whether a key is there.
     *
     * @param key name in this table.
     * @return true where it has a value.
     */
    public boolean has(final String key)
    {
        knownKeys.add(key);
        return table.contains(List.of(key));
    }

    /**
     * A string.
     *
     * @param key          name in this table.
     * @param defaultValue where the key is missing or wrong.
     * @return the value.
     */
    public String string(final String key, final String defaultValue)
    {
        final Object value = get(key);
        if (value == null || value instanceof String)
        {
            return value == null ? defaultValue : (String)value;
        }
        wrong(key, "is " + TomlValue.typeOf(value) + "; give a string in quotes");
        return defaultValue;
    }

    /**
     * Parses a string; where that fails, the parser's message becomes the problem.
     *
     * @param key          name in this table.
     * @param parser       throws {@link IllegalArgumentException} with the message.
     * @param defaultValue where the key is missing or wrong.
     * @param <T>          what the text stands for.
     * @return the parsed value.
     */
    public <T> T parsed(final String key, final Function<String, T> parser, final T defaultValue)
    {
        final String text = string(key, null);
        return text == null ? defaultValue : parse(key, text, parser, defaultValue);
    }

    /**
     * Parses a text that was read already, such as an element of an array.
     *
     * @param key          that a problem names.
     * @param text         to parse.
     * @param parser       throws {@link IllegalArgumentException} with the message.
     * @param defaultValue where that fails.
     * @param <T>          what the text stands for.
     * @return the parsed value.
     */
    public <T> T parse(final String key, final String text, final Function<String, T> parser, final T defaultValue)
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

    /**
     * One of some words.
     *
     * @param key          name in this table.
     * @param choices      that are known.
     * @param defaultValue where the key is missing or wrong.
     * @return one of the choices, or the default.
     */
    public String oneOf(final String key, final List<String> choices, final String defaultValue)
    {
        final String value = string(key, defaultValue);
        if (value == null || choices.contains(value))
        {
            return value;
        }
        wrong(key, "\"" + value + "\" is not known; one of " + String.join(", ", choices));
        return defaultValue;
    }

    /**
     * A whole number.
     *
     * @param key          name in this table.
     * @param min          lowest that may be given.
     * @param max          highest that may be given.
     * @param defaultValue where the key is missing or wrong.
     * @return the value.
     */
    public int integer(final String key, final int min, final int max, final int defaultValue)
    {
        final Object value = get(key);
        return value == null ? defaultValue : integerValue(key, value, min, max, defaultValue);
    }

    /**
     * A number, whole or not.
     *
     * @param key          name in this table.
     * @param min          lowest that may be given.
     * @param max          highest that may be given.
     * @param defaultValue where the key is missing or wrong.
     * @return the value.
     */
    public double number(final String key, final double min, final double max, final double defaultValue)
    {
        final Object value = get(key);
        if (value == null)
        {
            return defaultValue;
        }
        final double number = value instanceof Number ? ((Number)value).doubleValue() : Double.NaN;
        if (number >= min && number <= max)
        {
            return number;
        }
        wrong(key, (value instanceof Number ? value + " is out of range" : "is " + TomlValue.typeOf(value)) +
            "; give a number from " + TomlValue.plain(min) + " to " + TomlValue.plain(max));
        return defaultValue;
    }

    /**
     * A power of two.
     *
     * @param key          name in this table.
     * @param min          lowest that may be given.
     * @param max          highest that may be given.
     * @param defaultValue where the key is missing or wrong.
     * @return the value.
     */
    public int powerOfTwo(final String key, final int min, final int max, final int defaultValue)
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

    /**
     * True or false.
     *
     * @param key          name in this table.
     * @param defaultValue where the key is missing or wrong.
     * @return the value.
     */
    public boolean bool(final String key, final boolean defaultValue)
    {
        final Object value = get(key);
        if (value == null || value instanceof Boolean)
        {
            return value == null ? defaultValue : (Boolean)value;
        }
        wrong(key, "is " + TomlValue.typeOf(value) + "; give true or false");
        return defaultValue;
    }

    /**
     * An array of whole numbers.
     *
     * @param key name in this table.
     * @param min lowest that may be given.
     * @param max highest that may be given.
     * @return empty where the key is missing.
     */
    public List<Integer> integers(final String key, final int min, final int max)
    {
        final List<Integer> values = new ArrayList<>();
        for (final Object value : array(key, "[0, 1]"))
        {
            values.add(integerValue(key, value, min, max, min));
        }
        return values;
    }

    /**
     * An array of strings.
     *
     * @param key name in this table.
     * @return empty where the key is missing.
     */
    public List<String> strings(final String key)
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
                wrong(key, "holds " + TomlValue.typeOf(value) + "; give strings in quotes");
            }
        }
        return values;
    }

    /**
     * A table below this one.
     *
     * @param key name in this table.
     * @return null where the key is missing.
     */
    public TomlSection table(final String key)
    {
        final Object value = get(key);
        if (value != null && !(value instanceof TomlTable))
        {
            wrong(key, "is " + TomlValue.typeOf(value) + "; write a table [" + key + "]");
        }
        return value instanceof TomlTable ?
            new TomlSection(problems, pathOf(key), (TomlTable)value, lineOf(key)) : null;
    }

    /**
     * An array of tables below this one.
     *
     * @param key name in this table.
     * @return empty where the key is missing.
     */
    public List<TomlSection> tables(final String key)
    {
        final List<TomlSection> sections = new ArrayList<>();
        final Object value = get(key);
        if (value instanceof TomlArray && ((TomlArray)value).toList().stream().allMatch(TomlTable.class::isInstance))
        {
            final TomlArray array = (TomlArray)value;
            for (int i = 0; i < array.size(); i++)
            {
                sections.add(
                    new TomlSection(problems, pathOf(key), array.getTable(i), array.inputPositionOf(i).line()));
            }
        }
        else if (value != null)
        {
            wrong(key, "is " + TomlValue.typeOf(value) + "; write each one as a table [[" + key + "]]");
        }
        return sections;
    }

    /** To be called after every key that may be there was asked for. */
    public void refuseUnknownKeys()
    {
        for (final String key : table.keySet())
        {
            if (!knownKeys.contains(key))
            {
                wrong(key, "unknown key; known are " + String.join(", ", knownKeys));
            }
        }
    }

    /**
     * Notes that a key is missing.
     *
     * @param key      that has to be there.
     * @param whatToDo with an example.
     */
    public void missing(final String key, final String whatToDo)
    {
        wrong(key, "is missing; " + whatToDo);
    }

    /**
     * Notes something wrong with a key.
     *
     * @param key  name in this table.
     * @param what is wrong, and what to do.
     */
    public void wrong(final String key, final String what)
    {
        problems.add(lineOf(key), pathOf(key) + ": " + what);
    }

    /**
     * Where a key stands.
     *
     * @param key name in this table.
     * @return its line, or the table's where it is missing.
     */
    public int lineOf(final String key)
    {
        final TomlPosition position = table.inputPositionOf(List.of(key));
        return position == null ? line : position.line();
    }

    private String pathOf(final String key)
    {
        return path.isEmpty() ? key : path + "." + key;
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
            wrong(key, "is " + TomlValue.typeOf(value) + "; give a number from " + min + " to " + max);
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
            wrong(key, "is " + TomlValue.typeOf(value) + "; give an array such as " + example);
        }
        return value instanceof TomlArray ? ((TomlArray)value).toList() : List.of();
    }
}
