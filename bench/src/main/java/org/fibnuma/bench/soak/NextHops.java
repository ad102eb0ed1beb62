package org.fibnuma.bench.soak;

import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;

/**
 * The next hops that each destination has had. Each change makes a new generation of the destination, beginning with 0.
 * A generation is confirmed when the router forwards by it or a later one. A frame that was sent when generation
 * {@code g} was confirmed may arrive at the next hop of {@code g} and of every later generation. This does not depend
 * on the time that the router takes. One thread changes, any thread reads.
 */
final class NextHops
{
    /** Next hop of a destination without a route. */
    static final int NONE = -1;

    /** Generations that are kept of each destination; more than a frame can be late. */
    private static final int KEPT = 256;

    private final AtomicIntegerArray history;
    private final AtomicIntegerArray issued;
    private final AtomicIntegerArray confirmed;

    /** Creates destinations, numbered from 0, whose next hop in generation 0 is the first one, 0. */
    NextHops(final int destinations)
    {
        history = new AtomicIntegerArray(destinations * KEPT);
        issued = new AtomicIntegerArray(destinations);
        confirmed = new AtomicIntegerArray(destinations);
    }

    /** Returns the next hop of the latest generation. */
    int current(final int destination)
    {
        return at(destination, issued.get(destination));
    }

    /** Begins a generation, before the route is changed, and returns its number. */
    int change(final int destination, final int nextHop)
    {
        final int generation = issued.get(destination) + 1;
        history.set(index(destination, generation), nextHop);
        issued.set(destination, generation);
        return generation;
    }

    /** Notes that no frame that is sent from now on uses a generation before this one. */
    void confirm(final int destination, final int generation)
    {
        confirmed.set(destination, generation);
    }

    /** Returns the generation with which a frame is sent now. */
    int confirmed(final int destination)
    {
        return confirmed.get(destination);
    }

    /** Returns whether a frame may arrive at a next hop now that was sent with a confirmed generation. */
    boolean permits(final int destination, final int generation, final int nextHop)
    {
        final int last = issued.get(destination);
        boolean isPermitted = last - generation >= KEPT;
        for (int i = generation; i <= last && !isPermitted; i++)
        {
            isPermitted = at(destination, i) == nextHop;
        }
        return isPermitted;
    }

    /** Returns the next hops from a generation to the latest one. */
    List<Integer> since(final int destination, final int generation)
    {
        return IntStream.rangeClosed(generation, issued.get(destination)).mapToObj(i -> at(destination, i)).toList();
    }

    private int at(final int destination, final int generation)
    {
        return history.get(index(destination, generation));
    }

    private static int index(final int destination, final int generation)
    {
        return destination * KEPT + generation % KEPT;
    }
}
