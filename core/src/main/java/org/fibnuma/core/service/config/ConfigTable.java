package org.fibnuma.core.service.config;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The keys of one TOML table, or of the top of a file, in the order of the reference. The methods with a name declare a
 * key. If a default is null, the reader may have another one, which {@link ConfigKey#byDefault} describes.
 */
public final class ConfigTable
{
    private final Set<ConfigKey<?>> keys = new LinkedHashSet<>();

    /** Returns the declared keys. */
    public Set<ConfigKey<?>> keys()
    {
        return Collections.unmodifiableSet(keys);
    }

    /** Adds all keys of another table. */
    public void include(final ConfigTable other)
    {
        keys.addAll(other.keys);
    }

    /** Declares a string; the form describes it, and the example is without quotes. */
    public ConfigKey<String> string(
        final String name, final String form, final String example, final String defaultValue)
    {
        return parsed(name, form, example, Function.identity(), defaultValue);
    }

    /**
     * Declares a string that is parsed. If that fails, the parser's message becomes the problem.
     *
     * @param name         of the key.
     * @param form         describes valid strings.
     * @param example      a valid string, other than the default.
     * @param parser       throws {@link IllegalArgumentException} with the message.
     * @param defaultValue parsed if the key is missing or wrong, or null.
     * @param <T>          type of the parsed value.
     * @return the key.
     */
    public <T> ConfigKey<T> parsed(
        final String name, final String form, final String example, final Function<String, T> parser,
        final String defaultValue)
    {
        return declare(name,
            "string: " + form + (form.contains("`" + example + "`") ? "" : ", such as `" + quoted(example) + "`"),
            quoted(example),
            defaultValue == null ? null : parser.apply(defaultValue), quoted(defaultValue),
            (section, key) -> section.parsed(key, parser));
    }

    /** Declares one of several words. */
    public ConfigKey<String> word(final String name, final List<String> words, final String defaultValue)
    {
        return words(name, words, Function.identity(), defaultValue);
    }

    /** Declares a word for each of several constants: its name in lower case. */
    public <E extends Enum<E>> ConfigKey<E> oneOf(final String name, final List<E> values, final E defaultValue)
    {
        return words(name, values.stream().map(ConfigTable::word).toList(),
            word -> values.stream().filter(value -> word(value).equals(word)).findFirst().orElseThrow(),
            defaultValue == null ? null : word(defaultValue));
    }

    private <T> ConfigKey<T> words(
        final String name, final List<String> words, final Function<String, T> meaning, final String defaultValue)
    {
        return declare(name, words.stream().map(word -> "`" + quoted(word) + "`").collect(Collectors.joining(", ")),
            quoted(words.stream().filter(word -> !word.equals(defaultValue)).findFirst().orElseThrow()),
            defaultValue == null ? null : meaning.apply(defaultValue), quoted(defaultValue),
            (section, key) ->
            {
                final String word = section.word(key, words);
                return word == null ? null : meaning.apply(word);
            });
    }

    /** Declares a whole number in a range. */
    public ConfigKey<Integer> integer(final String name, final int min, final int max, final Integer defaultValue)
    {
        return declare(name, "whole number, " + min + " to " + max,
            String.valueOf(defaultValue != null && defaultValue == max ? min : max), defaultValue, toml(defaultValue),
            (section, key) -> section.integer(key, min, max));
    }

    /** Declares a power of two in a range, whose bounds are powers of two. */
    public ConfigKey<Integer> powerOfTwo(final String name, final int min, final int max, final Integer defaultValue)
    {
        return declare(name, "power of two, " + min + " to " + max,
            String.valueOf(defaultValue != null && defaultValue == max ? min : max), defaultValue, toml(defaultValue),
            (section, key) -> section.powerOfTwo(key, min, max));
    }

    /** Declares a number in a range. */
    public ConfigKey<Double> number(final String name, final double min, final double max, final Double defaultValue)
    {
        return declare(name, "number, " + TomlSection.plain(min) + " to " + TomlSection.plain(max),
            TomlSection.plain(defaultValue != null && defaultValue == max ? min : max), defaultValue,
            defaultValue == null ? null : TomlSection.plain(defaultValue),
            (section, key) -> section.number(key, min, max));
    }

    /** Declares true or false. */
    public ConfigKey<Boolean> bool(final String name, final Boolean defaultValue)
    {
        return declare(name, "`true` or `false`", String.valueOf(!Boolean.TRUE.equals(defaultValue)), defaultValue,
            toml(defaultValue), TomlSection::bool);
    }

    /** Declares an array of whole numbers in a range. */
    public ConfigKey<List<Integer>> integers(
        final String name, final int min, final int max, final List<Integer> defaultValue)
    {
        return declare(name, "array of whole numbers, " + min + " to " + max, "[" + min + "]", defaultValue,
            toml(defaultValue), (section, key) -> section.integers(key, min, max));
    }

    /** Declares an array of strings, which is empty by default; the example is one of them without quotes. */
    public ConfigKey<List<String>> strings(final String name, final String form, final String example)
    {
        final String toml = "[" + quoted(example) + "]";
        return declare(name, "array of strings: " + form + ", such as `" + toml + "`", toml, List.of(), "[]",
            TomlSection::strings);
    }

    /** Declares a string or an array of strings, which is empty by default; the example is one without quotes. */
    public ConfigKey<List<String>> stringOrStrings(final String name, final String form, final String example)
    {
        return declare(name, "string or array of strings: " + form + ", such as `" + quoted(example) + "`",
            quoted(example), List.of(), "[]", TomlSection::stringOrStrings);
    }

    /** Declares a table; its value is null if it is missing. */
    public ConfigKey<TomlSection> table(final String name, final ConfigTable table)
    {
        return add(new ConfigKey<>(
            name, "table", null, null, null, (section, key) -> section.table(key, table), table));
    }

    /** Declares an array of tables, which is empty by default. */
    public ConfigKey<List<TomlSection>> tables(final String name, final ConfigTable table)
    {
        return add(new ConfigKey<>(
            name, "array of tables", null, List.of(), null, (section, key) -> section.tables(key, table), table));
    }

    private <T> ConfigKey<T> declare(
        final String name, final String type, final String example, final T defaultValue, final String defaultToml,
        final ConfigKey.Reading<T> reading)
    {
        return add(new ConfigKey<>(name, type, example, defaultValue, defaultToml, reading, null));
    }

    private <T> ConfigKey<T> add(final ConfigKey<T> key)
    {
        keys.add(key);
        return key;
    }

    private static String word(final Enum<?> constant)
    {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static String quoted(final String text)
    {
        return text == null ? null : "\"" + text + "\"";
    }

    private static String toml(final Object value)
    {
        return value == null ? null : value.toString();
    }
}
