package org.fibnuma.core.port;

/** What devices count where our own pipeline cannot see it. */
public enum PortCounter
{
    /** Frames lost because the receive ring was full. */
    RX_RING_FULL("rx-ring-full"),
    /** Frames lost because no free chunk was there to receive into. */
    RX_NO_BUFFER("rx-no-buffer"),
    /** Frames lost on receive for another reason of the device's. */
    RX_DROPPED("rx-dropped"),
    /** Descriptors that the device refused to send, or had not sent yet when it was taken away. */
    TX_INVALID("tx-invalid");

    private final String label;

    PortCounter(final String label)
    {
        this.label = label;
    }

    /**
     * Its name for people and JSON.
     *
     * @return lower case with hyphens.
     */
    public String label()
    {
        return label;
    }
}
