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
 * One table of a TOML file. A missing or wrong value is recorded in the problems and replaced by the default, so that
 * reading continues and finds further problems. Methods take the name of a key in this table.
 */
public final class TomlSection
{
    /** Known keys that fit into a line. */
    private static final int MOST_LISTED = 10;

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

    /** Returns the table below this one with a key, or an empty table if the key is missing. */
    public TomlSection tableOrEmpty(final String key)
    {
        final TomlSection section = table(key);
        return section == null ? new TomlSection(problems, pathOf(key), Toml.parse(""), 1) : section;
    }

    /** Returns whether a key has a value. */
    public boolean has(final String key)
    {
        knownKeys.add(key);
        return table.contains(List.of(key));
    }

    /** Reads a string, or the default if the key is missing or wrong. */
    public String string(final String key, final String defaultValue)
    {
        final String value = get(key, String.class, "give a string in quotes");
        return value == null ? defaultValue : value;
    }

    /**
     * Parses a string; if that fails, the parser's message becomes the problem.
     *
     * @param key          name in this table.
     * @param parser       throws {@link IllegalArgumentException} with the message.
     * @param defaultValue returned if the key is missing or wrong.
     * @param <T>          type of the parsed value.
     * @return the parsed value.
     */
    public <T> T parsed(final String key, final Function<String, T> parser, final T defaultValue)
    {
        final String text = string(key, null);
        return text == null ? defaultValue : parse(key, text, parser, defaultValue);
    }

    /**
     * Parses a text that was already read, such as an element of an array.
     *
     * @param key          named in the problem.
     * @param text         to parse.
     * @param parser       throws {@link IllegalArgumentException} with the message.
     * @param defaultValue returned if parsing fails.
     * @param <T>          type of the parsed value.
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

    /** Reads one of several words, or the default if the key is missing or wrong. */
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

    /** Reads a whole number from {@code min} to {@code max}, or the default if the key is missing or wrong. */
    public int integer(final String key, final int min, final int max, final int defaultValue)
    {
        final Object value = get(key);
        return value == null ? defaultValue : integerValue(key, value, min, max, defaultValue);
    }

    /** Reads a number from {@code min} to {@code max}, or the default if the key is missing or wrong. */
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
        wrong(key, (value instanceof Number ? value + " is out of range" : "is " + typeOf(value)) +
            "; give a number from " + plain(min) + " to " + plain(max));
        return defaultValue;
    }

    /** Reads a power of two from {@code min} to {@code max}, or the default if the key is missing or wrong. */
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

    /** Reads a boolean, or the default if the key is missing or wrong. */
    public boolean bool(final String key, final boolean defaultValue)
    {
        final Boolean value = get(key, Boolean.class, "give true or false");
        return value == null ? defaultValue : value;
    }

    /** Reads an array of whole numbers from {@code min} to {@code max}; empty if the key is missing. */
    public List<Integer> integers(final String key, final int min, final int max)
    {
        final List<Integer> values = new ArrayList<>();
        for (final Object value : array(key, "[0, 1]"))
        {
            values.add(integerValue(key, value, min, max, min));
        }
        return values;
    }

    /** Reads an array of strings; empty if the key is missing. */
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
                wrong(key, "contains " + typeOf(value) + "; give strings in quotes");
            }
        }
        return values;
    }

    /** Reads a string as an array of one, or an array of strings; empty if the key is missing. */
    public List<String> stringOrStrings(final String key)
    {
        return get(key) instanceof String ? List.of(string(key, null)) : strings(key);
    }

    /** Returns the table below this one with a key; null if the key is missing. */
    public TomlSection table(final String key)
    {
        final TomlTable value = get(key, TomlTable.class, "write a table [" + key + "]");
        return value == null ? null : new TomlSection(problems, pathOf(key), value, lineOf(key));
    }

    /** Returns the array of tables below this one with a key; empty if the key is missing. */
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
            wrong(key, "is " + typeOf(value) + "; write each one as a table [[" + key + "]]");
        }
        return sections;
    }

    /** Records every key that was not read as unknown. To be called after all known keys were read. */
    public void refuseUnknownKeys()
    {
        for (final String key : table.keySet())
        {
            if (!knownKeys.contains(key))
            {
                wrong(key, "unknown key; " + advice(key));
            }
        }
    }

    private String advice(final String key)
    {
        final List<String> similar = SimilarWords.of(key, knownKeys);
        if (!similar.isEmpty())
        {
            return "did you mean \"" + String.join("\" or \"", similar) + "\"?";
        }
        return knownKeys.size() > MOST_LISTED ? "remove it; man fibnuma.toml has all keys" :
            "known are " + String.join(", ", knownKeys);
    }

    /**
     * Records that a required key is missing.
     *
     * @param key      name in this table.
     * @param whatToDo instruction for the user, with an example.
     */
    public void missing(final String key, final String whatToDo)
    {
        wrong(key, "is missing; " + whatToDo);
    }

    /**
     * Records a problem with a key.
     *
     * @param key  name in this table.
     * @param what is wrong and what to do.
     */
    public void wrong(final String key, final String what)
    {
        problems.add(lineOf(key), pathOf(key) + ": " + what);
    }

    /** Returns the line of a key, or that of the table if the key is missing. */
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

    private <T> T get(final String key, final Class<T> type, final String whatToDo)
    {
        final Object value = get(key);
        if (value != null && !type.isInstance(value))
        {
            wrong(key, "is " + typeOf(value) + "; " + whatToDo);
            return null;
        }
        return type.cast(value);
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
        final TomlArray value = get(key, TomlArray.class, "give an array such as " + example);
        return value == null ? List.of() : value.toList();
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

    private static String plain(final double number)
    {
        return number == Math.rint(number) ? String.valueOf((long)number) : String.valueOf(number);
    }
}
