package org.fibnuma.fibnic.fate;

/** What each worker counts on each port. Bytes are without FCS. Frames come before their bytes. */
public enum PortTraffic
{
    /** Frames received. */
    RX_FRAMES(0, "rx-frames"),
    /** Bytes received. */
    RX_BYTES(1, "rx-bytes"),
    /** Frames handed to the port, or to a FIFO before it. */
    TX_FRAMES(2, "tx-frames"),
    /** Bytes in those frames. */
    TX_BYTES(3, "tx-bytes"),
    /** Received TCP segments and UDP datagrams whose checksum was partial and was completed. */
    CHECKSUMS_COMPLETED(4, "checksums-completed");

    private final int id;
    private final String label;

    PortTraffic(final int id, final String label)
    {
        this.id = id;
        this.label = label;
    }

    /**
     * Its number among a port's counters.
     *
     * @return the position in this enumeration.
     */
    public int id()
    {
        return id;
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
