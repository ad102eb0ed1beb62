package org.fibnuma.core.service.config;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The keys of a program's file, each to be set to a value in a text. In the text every table has a line {@code #} where
 * a key can stand, so that the lines of all others stay as they are.
 */
public final class DeclaredKeys
{
    /** A key that is no table, and the path of its table, such as {@code port.vlan}. */
    public record Declared(String path, ConfigKey<?> key)
    {
        @Override
        public String toString()
        {
            return path + "." + key;
        }

        /** Returns the text with a value of the key in the first table of its path. */
        public String in(final String text, final String value)
        {
            return DeclaredKeys.with(text, path, key.name(), value);
        }
    }

    private DeclaredKeys()
    {
    }

    /** Returns all keys of the tables. */
    public static List<Declared> of(final ConfigTable tables)
    {
        final List<Declared> keys = new ArrayList<>();
        add("", tables, keys);
        return keys;
    }

    private static void add(final String path, final ConfigTable table, final List<Declared> keys)
    {
        for (final ConfigKey<?> key : table.keys())
        {
            if (key.table() == null)
            {
                keys.add(new Declared(path, key));
            }
            else
            {
                add(path.isEmpty() ? key.name() : path + "." + key.name(), key.table(), keys);
            }
        }
    }

    /** Returns the text with a value of a key in the first table of a path. */
    public static String with(final String text, final String path, final String name, final String value)
    {
        final Matcher table = Pattern.compile(
            "(?ms)(^\\[{1,2}" + Pattern.quote(path) + "\\]{1,2}$)(.*?)(?=^\\[|\\z)").matcher(text);
        if (!table.find())
        {
            throw new IllegalArgumentException("no table " + path);
        }
        final String given = "(?m)^" + Pattern.quote(name) + " = .*$";
        final boolean isGiven = Pattern.compile(given).matcher(table.group(2)).find();
        return text.substring(0, table.start(2)) + table.group(2).replaceFirst(
            isGiven ? given : "(?m)^#$", Matcher.quoteReplacement(name + " = " + value)) + text.substring(table.end(2));
    }
}
