package org.fibnuma.core.config;

/** Names that configurations give to what they describe: they become parts of file names and of thread names. */
public final class ConfigName
{
    private static final String PATTERN = "[A-Za-z0-9][A-Za-z0-9._-]{0,31}";

    private ConfigName()
    {
    }

    /**
     * Lets through what may be a name, for {@link TomlSection#parsed}.
     *
     * @param text to look at.
     * @return the same text: 1 to 32 ASCII letters, digits, dots, underscores and hyphens, a letter or digit first.
     * @throws IllegalArgumentException for any other text, with what a name may hold.
     */
    public static String parse(final String text)
    {
        if (!text.matches(PATTERN))
        {
            throw new IllegalArgumentException(
                "\"" + text + "\" is no name; use letters, digits, ., _ and -, at most 32");
        }
        return text;
    }
}
