package org.fibnuma.core.port.fault;

import org.fibnuma.core.UserException;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The faults of a port. A description such as {@code loss=1,dup=0.5,reorder=1,corrupt=1,delay-us=50,seed=7,on=rx}
 * contains them; missing faults have 0 percent.
 *
 * @param percentages of frames, 0 to 100 each, for every fault.
 * @param delayNs     delay of every frame in ns, 0 to 1 s.
 * @param seed        of all decisions; default 1.
 * @param onReceive   whether received frames are affected: {@code on=rx} or {@code both}, which is the default.
 * @param onTransmit  whether sent frames are affected: {@code on=tx} or {@code both}.
 */
record FaultSettings(
    Map<Fault, Double> percentages, long delayNs, long seed, boolean onReceive, boolean onTransmit)
{
    private static final double MAX_PERCENT = 100;
    private static final long MAX_DELAY_US = 1_000_000;
    private static final String DELAY = "delay-us";
    private static final String SEED = "seed";
    private static final String ON = "on";

    /** Parses a description; throws {@link UserException} with one line for the user if it is wrong. */
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

    /** Returns whether no frame is affected. */
    boolean isHarmless()
    {
        return delayNs == 0 && percentages.values().stream().allMatch(percent -> percent == 0);
    }

    private static Fault fault(final String port, final String key)
    {
        return Arrays.stream(Fault.values()).filter(fault -> fault.label().equals(key)).findFirst().orElseThrow(() ->
            wrong(port, "unknown fault \"" + key + "\"; known: " +
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
            // Reported below, as a number out of range is.
        }
        throw wrong(port, "\"" + part + "\" is wrong: give a number from 0 to " + (long)max + " after the =");
    }

    private static long seed(final String port, final String part, final String value)
    {
        try
        {
            return Long.parseLong(value);
        }
        catch (final NumberFormatException expected)
        {
            throw wrong(port, "\"" + part + "\" is wrong: give an integer after the =");
        }
    }

    private static String side(final String port, final String part, final String value)
    {
        if (value.equals("rx") || value.equals("tx") || value.equals("both"))
        {
            return value;
        }
        throw wrong(port, "\"" + part + "\" is wrong: give rx, tx or both after the =");
    }

    private static UserException wrong(final String port, final String what)
    {
        return new UserException("port " + port + ": " + FaultPortProvider.SCHEME + ": " + what);
    }
}
