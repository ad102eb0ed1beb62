package org.fibnuma.bench.pipeline;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Kinds of frames in given parts, such as {@code ipv4=45,ipv6=45,arp=10}. */
final class TrafficMix
{
    /** Largest sum of the parts. */
    static final int MOST_PARTS = 100_000;

    private static final String KINDS =
        Arrays.stream(TestFrameKind.values()).map(TestFrameKind::label).collect(Collectors.joining(", "));

    private final Map<TestFrameKind, Integer> parts;

    private TrafficMix(final Map<TestFrameKind, Integer> parts)
    {
        this.parts = parts;
    }

    /** Returns a mix of one kind. */
    static TrafficMix of(final TestFrameKind kind)
    {
        return new TrafficMix(Map.of(kind, 1));
    }

    /**
     * Returns ordinary IPv4 frames with exceptions of some kinds, all as frequent.
     *
     * @param interval   one frame in so many is an exception, 2 or more.
     * @param exceptions kinds of the exceptions.
     * @return the mix.
     */
    static TrafficMix withOneIn(final int interval, final TestFrameKind... exceptions)
    {
        final Map<TestFrameKind, Integer> parts = new EnumMap<>(TestFrameKind.class);
        parts.put(TestFrameKind.IPV4, (interval - 1) * exceptions.length);
        for (final TestFrameKind kind : exceptions)
        {
            parts.put(kind, 1);
        }
        return new TrafficMix(parts);
    }

    /**
     * Parses a mix.
     *
     * @param text pairs {@code kind=parts} separated by commas; the share of a kind is its parts of their sum.
     * @return the mix.
     * @throws IllegalArgumentException with what is wrong with the text and what to write.
     */
    static TrafficMix parse(final String text)
    {
        final Map<TestFrameKind, Integer> parts = new EnumMap<>(TestFrameKind.class);
        long sum = 0;
        for (final String pair : text.split(",", -1))
        {
            final int equals = pair.indexOf('=');
            if (equals < 0)
            {
                throw new IllegalArgumentException(
                    "\"" + pair + "\" is not a kind and its parts; write for example ipv4=99,arp=1");
            }
            final TestFrameKind kind = kindOf(pair.substring(0, equals).strip());
            final int count = partsOf(pair, pair.substring(equals + 1).strip());
            if (parts.put(kind, count) != null)
            {
                throw new IllegalArgumentException(kind.label() + " occurs twice");
            }
            sum += count;
        }
        if (sum > MOST_PARTS)
        {
            throw new IllegalArgumentException("the parts sum up to " + sum + ", more than " + MOST_PARTS);
        }
        final TrafficMix mix = new TrafficMix(parts);
        if (!mix.has(TestFrameKind::isOrdinary))
        {
            throw new IllegalArgumentException(
                "neither ipv4 nor ipv6 is in it; the others are compared with a run of these alone");
        }
        return mix;
    }

    private static TestFrameKind kindOf(final String label)
    {
        for (final TestFrameKind kind : TestFrameKind.values())
        {
            if (kind.label().equals(label))
            {
                return kind;
            }
        }
        throw new IllegalArgumentException("\"" + label + "\" is none of " + KINDS);
    }

    private static int partsOf(final String pair, final String text)
    {
        try
        {
            final int parts = Integer.parseInt(text);
            if (parts >= 1 && parts <= MOST_PARTS)
            {
                return parts;
            }
        }
        catch (final NumberFormatException ignore)
        {
            // Falls through to the message that fits both faults.
        }
        throw new IllegalArgumentException("\"" + pair + "\": the parts are not a number from 1 to " + MOST_PARTS);
    }

    /** Returns the parts of each kind by name. */
    Map<String, Integer> toMap()
    {
        final Map<String, Integer> map = new LinkedHashMap<>();
        parts.forEach((kind, count) -> map.put(kind.label(), count));
        return map;
    }

    /** Returns whether a kind of the mix fulfils a condition. */
    boolean has(final Predicate<TestFrameKind> condition)
    {
        return parts.keySet().stream().anyMatch(condition);
    }

    /** Returns the parts of a kind, 0 if it is not in the mix. */
    int parts(final TestFrameKind kind)
    {
        return parts.getOrDefault(kind, 0);
    }

    /** Returns the names of the exceptions in the mix. */
    List<String> exceptions()
    {
        return parts.keySet().stream().filter(kind -> !kind.isOrdinary()).map(TestFrameKind::label).toList();
    }

    /** Returns the mix without exceptions, in which IPv4 and IPv6 have the same ratio. */
    TrafficMix withoutExceptions()
    {
        final Map<TestFrameKind, Integer> ordinary = new EnumMap<>(parts);
        ordinary.keySet().removeIf(kind -> !kind.isOrdinary());
        return new TrafficMix(ordinary);
    }

    /** Returns the kind of each frame of a repeated sequence, in which the frames of a kind are evenly spread. */
    TestFrameKind[] sequence()
    {
        final int sum = parts.values().stream().mapToInt(Integer::intValue).sum();
        final TestFrameKind[] sequence = new TestFrameKind[sum];
        // Each step adds its parts to the credit of a kind; the kind with the most credit pays with the sum of all.
        final int[] credit = new int[TestFrameKind.values().length];
        for (int i = 0; i < sum; i++)
        {
            TestFrameKind next = null;
            for (final Map.Entry<TestFrameKind, Integer> part : parts.entrySet())
            {
                final TestFrameKind kind = part.getKey();
                credit[kind.ordinal()] += part.getValue();
                next = next == null || credit[kind.ordinal()] > credit[next.ordinal()] ? kind : next;
            }
            credit[next.ordinal()] -= sum;
            sequence[i] = next;
        }
        return sequence;
    }

    @Override
    public String toString()
    {
        return parts.entrySet().stream().map(part -> part.getKey().label() + "=" + part.getValue())
            .collect(Collectors.joining(","));
    }
}
