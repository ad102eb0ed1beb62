package org.fibnuma.fibnic.fate;

/** Counters of each worker for each port. Bytes are without FCS. The counter of bytes follows that of frames. */
public enum PortTraffic
{
    /** Frames received. */
    RX_FRAMES(0, "rx-frames"),
    /** Bytes received. */
    RX_BYTES(1, "rx-bytes"),
    /** Frames passed to the port or to a FIFO before it. */
    TX_FRAMES(2, "tx-frames"),
    /** Bytes in those frames. */
    TX_BYTES(3, "tx-bytes"),
    /** Received TCP segments and UDP datagrams whose checksum was partial and was completed. */
    CHECKSUMS_COMPLETED(4, "checksums-completed"),
    /** Received IPv4 frames, except those that were left to the kernel or dropped for their Ethernet header. */
    RX_IPV4(5, "rx-ipv4"),
    /** Received IPv6 frames, except those that were left to the kernel or dropped for their Ethernet header. */
    RX_IPV6(6, "rx-ipv6");

    private final int id;
    private final String label;

    PortTraffic(final int id, final String label)
    {
        this.id = id;
        this.label = label;
    }

    /** Returns the number of the counter, from 0; the position in this enum. */
    public int id()
    {
        return id;
    }

    /** Returns the name for output and JSON, in lower case with hyphens. */
    public String label()
    {
        return label;
    }
}
