package org.fibnuma.core.service.config;

/** Validates names in configurations, which become parts of file names and thread names. */
public final class ConfigName
{
    /** The rule for names, for the reference of the configuration. */
    public static final String FORM = "letters, digits, `.`, `_` and `-`, at most 32";

    private static final String PATTERN = "[A-Za-z0-9][A-Za-z0-9._-]{0,31}";

    private ConfigName()
    {
    }

    /**
     * Returns a valid name unchanged, for {@link ConfigTable#parsed}. It has 1 to 32 ASCII letters, digits, dots,
     * underscores and hyphens, the first of which is a letter or digit.
     *
     * @throws IllegalArgumentException for any other text, with the rule for names.
     */
    public static String parse(final String text)
    {
        if (!text.matches(PATTERN))
        {
            throw new IllegalArgumentException(
                "\"" + text + "\" is not a name; use letters, digits, ., _ and -, at most 32");
        }
        return text;
    }
}
