package org.fibnuma.pfc;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Names of enum constants in configurations, commands and JSON: lower case, with hyphens for underscores. */
public final class EnumKey
{
    private EnumKey()
    {
    }

    /** {@return the name of a constant, such as {@code annex-o} of {@code ANNEX_O}} */
    public static String of(final Enum<?> constant)
    {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Returns the constant that has a name.
     *
     * @param subject noun for the message of the exception, such as {@code policy}.
     * @throws IllegalArgumentException listing all names, if the name is unknown.
     */
    public static <E extends Enum<E>> E parse(final Class<E> type, final String subject, final String key)
    {
        final E[] all = type.getEnumConstants();
        return Arrays.stream(all).filter(constant -> of(constant).equals(key)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException("unknown " + subject + " \"" + key + "\"; use one of " +
                Arrays.stream(all).map(EnumKey::of).collect(Collectors.joining(", "))));
    }
}
