package org.fibnuma.fibnic.control;

import org.fibnuma.fibnic.config.PortConfig;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** Ports "left" and "right" and two spare places. */
class PortPlacesTest
{
    private final PortPlaces places = new PortPlaces(List.of(port("left"), port("right")), 2);
    private final Set<Integer> removed = new HashSet<>();
    private final Set<Integer> configured = new HashSet<>(Set.of(0, 1));

    static PortConfig port(final String name)
    {
        return new PortConfig(name, "xdp:" + name, List.of(), 0, 0, null, false, null, null, List.of(), 0, 0);
    }

    @Test
    void shouldFindPortsByNameAndDevice()
    {
        assertEquals(4, places.size());
        assertEquals(1, places.placeOf("right"));
        assertEquals(PortPlaces.NONE, places.placeOf("third"));
        assertNull(places.get(2));
        assertEquals("left, right", places.names(place -> false));
        assertEquals("right", places.names(place -> place == 0));
        assertEquals(1, places.placeOfDevice("xdp:right", removed::contains));
        removed.add(1);
        assertEquals(PortPlaces.NONE, places.placeOfDevice("xdp:right", removed::contains));
    }

    @Test
    void shouldTakeFreePlacesInOrderWhileRemovedPortsKeepTheirs()
    {
        removed.add(0);
        assertEquals(2, take("third"));
        assertEquals(3, take("fourth"));
        assertEquals(Arrays.asList(port("left"), port("right"), port("third"), port("fourth")), places.ports());
    }

    @Test
    void shouldGiveAPortItsOwnPlaceAgain()
    {
        take("third");
        removed.add(2);
        assertEquals(2, take("third"));
        assertEquals(3, take("fourth"));
    }

    @Test
    void shouldReuseThePlaceOfARemovedPortThatIsNotConfiguredFirst()
    {
        take("third");
        take("fourth");
        removed.addAll(Set.of(0, 3));
        assertEquals(3, take("fifth"));
        removed.remove(3);
        assertEquals(0, take("sixth"));
        removed.remove(0);
        assertEquals(PortPlaces.NONE, placeFor("seventh"));
    }

    @Test
    void shouldReuseAPlaceThatWasFreed()
    {
        take("third");
        take("fourth");
        places.set(2, null);
        assertEquals(2, placeFor("fifth"));
        assertEquals(PortPlaces.NONE, places.placeOf("third"));
    }

    private int take(final String name)
    {
        final int place = placeFor(name);
        places.set(place, port(name));
        return place;
    }

    private int placeFor(final String name)
    {
        return places.placeFor(name, removed::contains, configured::contains);
    }
}
