package org.fibnuma.core.config;

import org.tomlj.TomlArray;
import org.tomlj.TomlTable;

/** Values in the words of a message. */
final class TomlValue
{
    private TomlValue()
    {
    }

    static String typeOf(final Object value)
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
