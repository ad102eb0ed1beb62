package org.fibnuma.core.port;

/** Counters of a device that the router cannot count itself. */
public enum PortCounter
{
    /** Frames lost because the receive ring was full. */
    RX_RING_FULL("rx-ring-full"),
    /** Frames lost because no chunk was free. */
    RX_NO_BUFFER("rx-no-buffer"),
    /** Frames that the device lost on receive for another reason. */
    RX_DROPPED("rx-dropped"),
    /**
     * Frames lost because they exceed a receive buffer. In AF_XDP's zero-copy mode their pieces are received as
     * separate frames, and the counter counts pieces that fill a buffer to its last byte.
     */
    RX_TRUNCATED("rx-truncated"),
    /** Descriptors that the device refused, or had not sent when it was removed. */
    TX_INVALID("tx-invalid");

    private final String label;

    PortCounter(final String label)
    {
        this.label = label;
    }

    /** Returns the name for tables and JSON, in lower case with hyphens. */
    public String label()
    {
        return label;
    }
}
