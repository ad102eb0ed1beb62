package org.fibnuma.ipnuma.pingpong;

import java.util.Arrays;
import java.util.stream.Collectors;

/** What the counter goes over. */
enum Transport
{
    /** A store into a page window here, which becomes one into a region there. */
    IPNUMA("ipnuma"),
    /** A UDP socket; the thread sleeps in the kernel until a datagram comes. */
    UDP("udp"),
    /** A UDP socket; the thread asks again and again. */
    UDP_POLL("udp-poll");

    private final String label;

    Transport(final String label)
    {
        this.label = label;
    }

    String label()
    {
        return label;
    }

    /**
     * The transport of a name.
     *
     * @throws IllegalArgumentException naming the choices.
     */
    static Transport of(final String label)
    {
        return Arrays.stream(values()).filter(transport -> transport.label.equals(label)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException("unknown transport \"" + label + "\"; one of " +
                Arrays.stream(values()).map(Transport::label).collect(Collectors.joining(", "))));
    }
}
