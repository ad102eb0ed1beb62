package org.fibnuma.pfc.quanta;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and formats link speeds. A speed is a {@code long} in bits per second. */
public final class LinkSpeed
{
    /** One gigabit per second. */
    public static final long GIGABIT = 1_000_000_000L;
    /** One megabit per second. */
    public static final long MEGABIT = 1_000_000L;

    private static final Pattern TEXT = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,3})?)([GM])");

    private LinkSpeed()
    {
    }

    /**
     * {@return bits per second from a text such as 100G, 2.5G or 100M} Throws IllegalArgumentException for any other
     * text.
     */
    public static long parse(final String text)
    {
        final Matcher matcher = TEXT.matcher(text);
        if (matcher.matches())
        {
            final double number = Double.parseDouble(matcher.group(1));
            final long speed = Math.round(number * ("G".equals(matcher.group(2)) ? GIGABIT : MEGABIT));
            if (speed > 0)
            {
                return speed;
            }
        }
        throw new IllegalArgumentException("\"" + text + "\" is not a speed; use a form such as 10G, 2.5G or 100M");
    }

    /** {@return a speed, 1 or more, as text such as 100G; in megabits below one gigabit} */
    public static String format(final long bitsPerSecond)
    {
        final boolean isGigabits = bitsPerSecond >= GIGABIT;
        final double number = (double)bitsPerSecond / (isGigabits ? GIGABIT : MEGABIT);
        return (number == Math.rint(number) ? String.format(Locale.ROOT, "%.0f", number) :
            String.format(Locale.ROOT, "%.1f", number)) + (isGigabits ? "G" : "M");
    }
}
