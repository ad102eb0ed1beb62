package org.fibnuma.fibnic.control;

import org.fibnuma.fibnic.config.PortConfig;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The places of a router's ports: a place is an index for which the workers have queues and counters. A removed port
 * keeps its place until a new port needs it. Written by the thread of the changes, one at a time; read by any thread.
 */
final class PortPlaces
{
    static final int NONE = -1;

    private final int size;
    /** By place; null for a free one. Replaced as a whole. */
    private volatile List<PortConfig> ports;

    /**
     * Creates the places of a router.
     *
     * @param ports at the start, by index.
     * @param spare number of further places.
     */
    PortPlaces(final List<PortConfig> ports, final int spare)
    {
        this.size = ports.size() + spare;
        final List<PortConfig> all = new ArrayList<>(ports);
        all.addAll(Collections.nCopies(spare, null));
        this.ports = all;
    }

    int size()
    {
        return size;
    }

    /** Returns the ports by place, null for a free one; not to be changed. */
    List<PortConfig> ports()
    {
        return ports;
    }

    /** Returns the port of a place, null if it is free. */
    PortConfig get(final int place)
    {
        return ports.get(place);
    }

    /** Gives a place to a port, or frees it with null. */
    void set(final int place, final PortConfig port)
    {
        final List<PortConfig> changed = new ArrayList<>(ports);
        changed.set(place, port);
        ports = changed;
    }

    /** Returns the place of the port of a name, or {@link #NONE}. */
    int placeOf(final String name)
    {
        final List<PortConfig> now = ports;
        return first(place -> now.get(place) != null && now.get(place).name().equals(name));
    }

    /** Returns the place of the port that has a device and is not removed, or {@link #NONE}. */
    int placeOfDevice(final String device, final IntPredicate isRemoved)
    {
        final List<PortConfig> now = ports;
        return first(
            place -> now.get(place) != null && now.get(place).device().equals(device) && !isRemoved.test(place));
    }

    /**
     * Returns the place for a port: its own, else the first free one, else that of a removed port that is not in the
     * configuration, else that of any removed port.
     *
     * @param name         of the port.
     * @param isRemoved    returns whether the port of a place is removed.
     * @param isConfigured returns whether the configuration has the port of a place.
     * @return the place, or {@link #NONE} if all have ports.
     */
    int placeFor(final String name, final IntPredicate isRemoved, final IntPredicate isConfigured)
    {
        final int own = placeOf(name);
        final int free = own == NONE ? first(place -> ports.get(place) == null) : own;
        final int unknown = free == NONE ?
            first(place -> isRemoved.test(place) && !isConfigured.test(place)) : free;
        return unknown == NONE ? first(isRemoved) : unknown;
    }

    /** Returns the names of the ports that are not removed, for a message. */
    String names(final IntPredicate isRemoved)
    {
        final List<PortConfig> now = ports;
        return IntStream.range(0, size).filter(place -> now.get(place) != null && !isRemoved.test(place))
            .mapToObj(place -> now.get(place).name()).collect(Collectors.joining(", "));
    }

    private int first(final IntPredicate condition)
    {
        for (int place = 0; place < size; place++)
        {
            if (condition.test(place))
            {
                return place;
            }
        }
        return NONE;
    }
}
