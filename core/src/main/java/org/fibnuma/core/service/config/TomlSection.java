package org.fibnuma.core.service.config;

import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One table of a TOML file with its declared keys. A missing or wrong value is recorded in the problems and replaced by
 * the default, so that reading continues and finds further problems. A key of another table is an error of the program.
 */
public final class TomlSection
{
    /** Most known keys that an error lists. */
    private static final int MOST_LISTED = 10;

    private final ConfigProblems problems;
    private final String path;
    private final TomlTable table;
    private final ConfigTable declaration;
    private final int line;
    private final Set<ConfigKey<?>> read = new HashSet<>();

    TomlSection(
        final ConfigProblems problems, final String path, final TomlTable table, final ConfigTable declaration,
        final int line)
    {
        this.problems = problems;
        this.path = path;
        this.table = table;
        this.declaration = declaration;
        this.line = line;
    }

    /** Returns the table below this one with a key, or an empty table if the key is missing. */
    public TomlSection tableOrEmpty(final ConfigKey<TomlSection> key)
    {
        final TomlSection section = get(key);
        return section == null ?
            new TomlSection(problems, pathOf(key.name()), Toml.parse(""), key.table(), 1) : section;
    }

    /** Returns whether a key has a value. */
    public boolean has(final ConfigKey<?> key)
    {
        if (!declaration.keys().contains(key))
        {
            throw new IllegalArgumentException("the key " + pathOf(key.name()) + " is not declared in this table");
        }
        read.add(key);
        return table.contains(List.of(key.name()));
    }

    /** Reads a value, or the declared default, or null, if the key is missing or wrong. */
    public <T> T get(final ConfigKey<T> key)
    {
        return get(key, key.defaultValue());
    }

    /** Reads a value, or another default than the declared one if the key is missing or wrong. */
    public <T> T get(final ConfigKey<T> key, final T defaultValue)
    {
        if (!has(key))
        {
            if (key.whatIfMissing() != null)
            {
                missing(key, key.whatIfMissing());
            }
            return defaultValue;
        }
        final T value = key.reading().read(this, key.name());
        return value == null ? defaultValue : value;
    }

    /**
     * Parses a text that was already read, such as an element of an array. The parser throws
     * {@link IllegalArgumentException} with the message, which becomes a problem of the key.
     *
     * @return the parsed value, or the default if parsing fails.
     */
    public <T> T parse(
        final ConfigKey<?> key, final String text, final Function<String, T> parser, final T defaultValue)
    {
        final T value = parse(key.name(), text, parser);
        return value == null ? defaultValue : value;
    }

    /**
     * Records a problem if a key is set although its condition does not hold. The text is an instruction for the user.
     */
    public void refuse(final ConfigKey<?> key, final String whatToDo)
    {
        if (has(key))
        {
            wrong(key, "is only for " + key.onlyFor() + "; " + whatToDo);
        }
    }

    /** Records every undeclared key as unknown. Called after all declared keys were read. */
    public void refuseUnknownKeys()
    {
        assert read.containsAll(declaration.keys()) : read + " are read of " + declaration.keys();
        final Set<String> known = declaration.keys().stream().map(ConfigKey::name)
            .collect(Collectors.toCollection(TreeSet::new));
        for (final String key : table.keySet())
        {
            if (!known.contains(key))
            {
                wrong(key, "unknown key; " + advice(key, known));
            }
        }
    }

    private static String advice(final String key, final Set<String> known)
    {
        final List<String> similar = SimilarWords.of(key, known);
        if (!similar.isEmpty())
        {
            return "did you mean \"" + String.join("\" or \"", similar) + "\"?";
        }
        return known.size() > MOST_LISTED ? "remove it; man fibnuma.toml has all keys" :
            "known are " + String.join(", ", known);
    }

    /** Records that a key is missing which another one needs, with an instruction for the user and an example. */
    public void missing(final ConfigKey<?> key, final String whatToDo)
    {
        wrong(key, "is missing; " + whatToDo);
    }

    /** Records a problem with a key: what is wrong and what to do. */
    public void wrong(final ConfigKey<?> key, final String what)
    {
        wrong(key.name(), what);
    }

    /** Returns the line of a key, or that of the table if the key is missing. */
    public int lineOf(final ConfigKey<?> key)
    {
        return lineOf(key.name());
    }

    /** Returns the line of the table. */
    public int line()
    {
        return line;
    }

    <T> T parsed(final String key, final Function<String, T> parser)
    {
        final String text = get(key, String.class, "give a string in quotes");
        return text == null ? null : parse(key, text, parser);
    }

    private <T> T parse(final String key, final String text, final Function<String, T> parser)
    {
        try
        {
            return parser.apply(text);
        }
        catch (final IllegalArgumentException ex)
        {
            wrong(key, ex.getMessage());
            return null;
        }
    }

    String word(final String key, final List<String> words)
    {
        return parsed(key, word ->
        {
            if (!words.contains(word))
            {
                throw new IllegalArgumentException(
                    "\"" + word + "\" is not known; one of " + String.join(", ", words));
            }
            return word;
        });
    }

    Integer integer(final String key, final int min, final int max)
    {
        return integerValue(key, table.get(List.of(key)), min, max);
    }

    Double number(final String key, final double min, final double max)
    {
        final Object value = table.get(List.of(key));
        final double number = value instanceof Number ? ((Number)value).doubleValue() : Double.NaN;
        if (number >= min && number <= max)
        {
            return number;
        }
        wrong(key, (value instanceof Number ? value + " is out of range" : "is " + typeOf(value)) +
            "; give a number from " + plain(min) + " to " + plain(max));
        return null;
    }

    Integer powerOfTwo(final String key, final int min, final int max)
    {
        final Integer value = integer(key, min, max);
        if (value != null && Integer.bitCount(value) != 1)
        {
            wrong(key, value + " is not a power of two; give " + Integer.highestOneBit(value) + " or " +
                2 * Integer.highestOneBit(value));
            return null;
        }
        return value;
    }

    Boolean bool(final String key)
    {
        return get(key, Boolean.class, "give true or false");
    }

    List<Integer> integers(final String key, final int min, final int max)
    {
        final List<Integer> values = new ArrayList<>();
        for (final Object value : array(key, "[0, 1]"))
        {
            final Integer number = integerValue(key, value, min, max);
            values.add(number == null ? min : number);
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
                wrong(key, "contains " + typeOf(value) + "; give strings in quotes");
            }
        }
        return values;
    }

    List<String> stringOrStrings(final String key)
    {
        final Object value = table.get(List.of(key));
        return value instanceof String ? List.of((String)value) : strings(key);
    }

    TomlSection table(final String key, final ConfigTable keys)
    {
        final TomlTable value = get(key, TomlTable.class, "write a table [" + key + "]");
        return value == null ? null : new TomlSection(problems, pathOf(key), value, keys, lineOf(key));
    }

    List<TomlSection> tables(final String key, final ConfigTable keys)
    {
        final List<TomlSection> sections = new ArrayList<>();
        final Object value = table.get(List.of(key));
        if (value instanceof TomlArray && ((TomlArray)value).toList().stream().allMatch(TomlTable.class::isInstance))
        {
            final TomlArray array = (TomlArray)value;
            for (int i = 0; i < array.size(); i++)
            {
                sections.add(new TomlSection(
                    problems, pathOf(key), array.getTable(i), keys, array.inputPositionOf(i).line()));
            }
        }
        else
        {
            wrong(key, "is " + typeOf(value) + "; write each one as a table [[" + key + "]]");
        }
        return sections;
    }

    private void wrong(final String key, final String what)
    {
        problems.add(lineOf(key), pathOf(key) + ": " + what);
    }

    private int lineOf(final String key)
    {
        final TomlPosition position = table.inputPositionOf(List.of(key));
        return position == null ? line : position.line();
    }

    private String pathOf(final String key)
    {
        return path.isEmpty() ? key : path + "." + key;
    }

    private <T> T get(final String key, final Class<T> type, final String whatToDo)
    {
        final Object value = table.get(List.of(key));
        if (!type.isInstance(value))
        {
            wrong(key, "is " + typeOf(value) + "; " + whatToDo);
            return null;
        }
        return type.cast(value);
    }

    private Integer integerValue(final String key, final Object value, final int min, final int max)
    {
        if (!(value instanceof Long))
        {
            wrong(key, "is " + typeOf(value) + "; give a number from " + min + " to " + max);
            return null;
        }
        final long number = (Long)value;
        if (number < min || number > max)
        {
            wrong(key, number + " is out of range; give " + min + " to " + max);
            return null;
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

    static String plain(final double number)
    {
        return number == Math.rint(number) ? String.valueOf((long)number) : String.valueOf(number);
    }
}
