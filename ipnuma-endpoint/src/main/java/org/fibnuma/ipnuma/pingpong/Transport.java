package org.fibnuma.ipnuma.pingpong;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Transport of the counter. */
enum Transport
{
    /** A store into a page window becomes a store into a region of the other end. */
    IPNUMA("ipnuma"),
    /** A UDP socket; the thread sleeps in the kernel until a datagram comes. */
    UDP("udp"),
    /** A UDP socket that the thread polls. */
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

    /** Returns the transport with a name, or throws an exception that lists the transports. */
    static Transport of(final String label)
    {
        return Arrays.stream(values()).filter(transport -> transport.label.equals(label)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException("unknown transport \"" + label + "\"; one of " +
                Arrays.stream(values()).map(Transport::label).collect(Collectors.joining(", "))));
    }
}
