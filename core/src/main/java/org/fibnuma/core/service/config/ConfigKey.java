package org.fibnuma.core.service.config;

/**
 * A key of a TOML table: how its value is read, and its text in the reference of the configuration. A method of
 * {@link ConfigTable} declares it. Texts of the reference have names and values between backquotes.
 *
 * @param <T> type of the value.
 */
public final class ConfigKey<T>
{
    /** First version of the program. */
    private static final String SINCE = "0.1";

    private final String name;
    private final String type;
    private final String example;
    private final T defaultValue;
    private final String defaultToml;
    private final Reading<T> reading;
    private final ConfigTable table;
    private String defaultText = "";
    private String missing;
    private String onlyFor = "";
    private boolean reloaded;
    private String text = "";

    /** Reads the value of a key that is in the file; after recording a problem it returns null. */
    interface Reading<T>
    {
        T read(TomlSection section, String key);
    }

    /** The table is null for a key whose value is none. */
    ConfigKey(
        final String name, final String type, final String example, final T defaultValue, final String defaultToml,
        final Reading<T> reading, final ConfigTable table)
    {
        this.name = name;
        this.type = type;
        this.example = example;
        this.defaultValue = defaultValue;
        this.defaultToml = defaultToml;
        this.reading = reading;
        this.table = table;
    }

    /** Describes a default that the reader of the key computes. */
    public ConfigKey<T> byDefault(final String description)
    {
        defaultText = description;
        return this;
    }

    /** Makes the key a required one. The text is an instruction for the user if it is missing, with an example. */
    public ConfigKey<T> required(final String whatToDo)
    {
        missing = whatToDo;
        defaultText = "required";
        return this;
    }

    /**
     * Restricts the key to a condition, such as {@code control = "static"}; otherwise its reader calls {@code refuse}.
     */
    public ConfigKey<T> onlyFor(final String condition)
    {
        onlyFor = condition;
        return this;
    }

    /** Declares that a running program applies a change of the key, whose meaning is for the reference. */
    public ConfigKey<T> reload(final String meaning)
    {
        reloaded = true;
        text = meaning;
        return this;
    }

    /** Declares that a running program refuses a change of the key, whose meaning is for the reference. */
    public ConfigKey<T> restart(final String meaning)
    {
        text = meaning;
        return this;
    }

    /** Returns the name in the file. */
    public String name()
    {
        return name;
    }

    /** Returns the type, and the range or the values. */
    public String type()
    {
        return type;
    }

    /** Returns a valid value as TOML, other than the default; null for a table. */
    public String example()
    {
        return example;
    }

    /** Returns the default as TOML; null if it is not a value of the key. */
    public String defaultToml()
    {
        return defaultText.isEmpty() ? defaultToml : null;
    }

    /** Returns the description of a default that is not a value of the key; empty if there is none. */
    public String defaultText()
    {
        return defaultText;
    }

    /** Returns the condition under which the key is allowed; empty for always. */
    public String onlyFor()
    {
        return onlyFor;
    }

    /** Returns whether a running program applies a change of the key; otherwise a restart is needed. */
    public boolean isReloaded()
    {
        return reloaded;
    }

    /** Returns the first version of the program that has the key. */
    public String since()
    {
        return SINCE;
    }

    /** Returns the meaning of the key, one or two sentences. */
    public String text()
    {
        return text;
    }

    /** Returns the keys of the table or tables below the key; null for a key with another value. */
    public ConfigTable table()
    {
        return table;
    }

    /** Returns whether the key is an array of tables. */
    public boolean isArrayOfTables()
    {
        return table != null && defaultValue != null;
    }

    T defaultValue()
    {
        return defaultValue;
    }

    /** Returns what to do if the key is missing; null if it need not be there. */
    String whatIfMissing()
    {
        return missing;
    }

    Reading<T> reading()
    {
        return reading;
    }

    @Override
    public String toString()
    {
        return name;
    }
}
