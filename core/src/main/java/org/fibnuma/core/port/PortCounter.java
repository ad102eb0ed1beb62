package org.fibnuma.core.port;

/** Counters of a device that the router cannot count itself. */
public enum PortCounter
{
    /** Frames lost because the receive ring was full. */
    RX_RING_FULL("rx-ring-full"),
    /** Frames lost because no free chunk was there to receive into. */
    RX_NO_BUFFER("rx-no-buffer"),
    /** Frames lost on receive for another reason of the device's. */
    RX_DROPPED("rx-dropped"),
    /**
     * Frames that were longer than a receive buffer and so are lost. In AF_XDP's zero-copy mode their pieces are
     * received as frames of their own: what is counted is the pieces that fill a buffer to its last byte.
     */
    RX_TRUNCATED("rx-truncated"),
    /** Descriptors that the device refused to send, or had not sent yet when it was taken away. */
    TX_INVALID("tx-invalid");

    private final String label;

    PortCounter(final String label)
    {
        this.label = label;
    }

    /**
     * Returns the name for tables and JSON.
     *
     * @return lower case with hyphens.
     */
    public String label()
    {
        return label;
    }
}
