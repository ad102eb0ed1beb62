package org.fibnuma.binding.dpdk;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The part of a port's device after {@code dpdk:}.
 *
 * @param name      of the device in DPDK.
 * @param arguments for the driver: the name and the text after it.
 * @param isPci     whether the device is on the PCI bus.
 */
record DeviceName(String name, String arguments, boolean isPci)
{
    private static final Pattern PCI = Pattern.compile("([0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]");
    /** Default PCI domain. */
    private static final String FIRST_DOMAIN = "0000:";
    private static final int FULL_LENGTH = 12;

    static DeviceName parse(final String text)
    {
        final int comma = text.indexOf(',');
        final String first = comma < 0 ? text : text.substring(0, comma);
        final String lower = first.toLowerCase(Locale.ROOT);
        if (!PCI.matcher(lower).matches())
        {
            return new DeviceName(first, text, false);
        }
        final String address = lower.length() < FULL_LENGTH ? FIRST_DOMAIN + lower : lower;
        return new DeviceName(address, address + text.substring(first.length()), true);
    }
}
