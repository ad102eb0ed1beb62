package org.fibnuma.core.port.fault;

import org.fibnuma.core.port.PortException;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The faults of a port, as a description such as {@code loss=1,dup=0.5,reorder=1,corrupt=1,delay-us=50,seed=7,on=rx}
 * says them; what it does not name is 0.
 *
 * @param percentages of frames, 0 to 100 each, for every fault.
 * @param delayNs     by which every frame is late, 0 to 1 s.
 * @param seed        of all decisions; 1 where none is given.
 * @param onReceive   whether received frames meet them; given by {@code on=rx}, {@code tx} or {@code both}, which is
 *                    what is taken where nothing is said.
 * @param onTransmit  whether frames to be sent meet them.
 */
record FaultSettings(
    Map<Fault, Double> percentages, long delayNs, long seed, boolean onReceive, boolean onTransmit)
{
    private static final double MAX_PERCENT = 100;
    private static final long MAX_DELAY_US = 1_000_000;
    private static final String DELAY = "delay-us";
    private static final String SEED = "seed";
    private static final String ON = "on";

    /** Reads a description; one that is wrong ends in a line for the user. */
    static FaultSettings parse(final String port, final String description)
    {
        final Map<Fault, Double> percentages = new EnumMap<>(Fault.class);
        Arrays.stream(Fault.values()).forEach(fault -> percentages.put(fault, 0.0));
        long delayUs = 0;
        long seed = 1;
        String on = "both";
        for (final String part : description.isEmpty() ? new String[0] : description.split(",", -1))
        {
            final int equals = part.indexOf('=');
            final String key = equals < 0 ? part : part.substring(0, equals);
            final String value = equals < 0 ? "" : part.substring(equals + 1);
            switch (key)
            {
                case DELAY -> delayUs = (long)number(port, part, value, MAX_DELAY_US);
                case SEED -> seed = seed(port, part, value);
                case ON -> on = side(port, part, value);
                default -> percentages.put(fault(port, key), number(port, part, value, MAX_PERCENT));
            }
        }
        return new FaultSettings(percentages, delayUs * 1_000, seed, !on.equals("tx"), !on.equals("rx"));
    }

    double percent(final Fault fault)
    {
        return percentages.get(fault);
    }

    /** Whether nothing happens to any frame. */
    boolean isHarmless()
    {
        return delayNs == 0 && percentages.values().stream().allMatch(percent -> percent == 0);
    }

    private static Fault fault(final String port, final String key)
    {
        return Arrays.stream(Fault.values()).filter(fault -> fault.label().equals(key)).findFirst().orElseThrow(() ->
            wrong(port, "knows no \"" + key + "\"; known: " +
                Arrays.stream(Fault.values()).map(Fault::label).collect(Collectors.joining(", ")) +
                " (percent), " + DELAY + ", " + SEED + ", " + ON));
    }

    private static double number(final String port, final String part, final String value, final double max)
    {
        try
        {
            final double number = Double.parseDouble(value);
            if (number >= 0 && number <= max)
            {
                return number;
            }
        }
        catch (final NumberFormatException expected)
        {
            // No number is as wrong as one out of range.
        }
        throw wrong(port, "cannot have \"" + part + "\": a number from 0 to " + (long)max + " must follow the =");
    }

    private static long seed(final String port, final String part, final String value)
    {
        try
        {
            return Long.parseLong(value);
        }
        catch (final NumberFormatException expected)
        {
            throw wrong(port, "cannot have \"" + part + "\": an integer must follow the =");
        }
    }

    private static String side(final String port, final String part, final String value)
    {
        if (value.equals("rx") || value.equals("tx") || value.equals("both"))
        {
            return value;
        }
        throw wrong(port, "cannot have \"" + part + "\": rx, tx or both must follow the =");
    }

    private static PortException wrong(final String port, final String what)
    {
        return new PortException("port " + port + ": " + FaultPortProvider.SCHEME + ": " + what);
    }
}
