package org.fibnuma.ipnuma.fate;

/** Counters of the endpoint besides drops. {@link #RECEIVED} = {@link #DELIVERED} + {@link #ARP} + all drops. */
public enum EndpointCounter
{
    /** Frames received from the port. */
    RECEIVED("received"),
    /** Bytes of received frames, without FCS. */
    RECEIVED_BYTES("received-bytes"),
    /** Received datagrams passed to the channel of their peer. */
    DELIVERED("delivered"),
    /** Received valid ARP packets. */
    ARP("arp"),
    /** Frames passed to the port. */
    SENT("sent"),
    /** Bytes of sent frames, without FCS. */
    SENT_BYTES("sent-bytes"),
    /** Frames lost because the port was full. */
    SENT_LOST("sent-lost"),
    /** Datagrams not sent because all chunks of memory were in use. */
    NO_MEMORY("no-memory"),
    /** ARP requests for an unknown MAC address of a peer or gateway. */
    UNRESOLVED("unresolved"),
    /** ARP requests sent. */
    ARP_REQUESTS("arp-requests"),
    /** ARP replies sent. */
    ARP_REPLIES("arp-replies"),
    /** ARP packets of another host that claims the endpoint's address. */
    ADDRESS_CONFLICTS("address-conflicts"),
    /** Malformed datagrams of peers without sessions. These and those of the next three have no effect. */
    MALFORMED("malformed"),
    /** Datagrams of peers without sessions with a request that crosses a boundary of 4 KiB. */
    CROSSES_BOUNDARY("crosses-4-kib"),
    /** Datagrams of peers without sessions with bytes after the end of their format. */
    TRAILING_BYTES("trailing-bytes"),
    /** Datagrams of peers without sessions whose list has no end code. */
    NO_END_CODE("no-end-code"),
    /** Accesses of peers without sessions that were refused. */
    REFUSED("refused"),
    /** Datagrams of peers with a key that were not sealed, replayed or forged. */
    SEAL_REFUSED("seal-refused"),
    /** Clients that were disconnected: dead, silent, or with invalid data in their ring. */
    CLIENTS_GIVEN_UP("clients-given-up"),
    /** Received datagrams with a partial checksum, accepted without verification. */
    PARTIAL_CHECKSUMS("partial-checksums"),
    /** Restorations of shared-memory files that another process had truncated. */
    FILES_RESTORED("files-restored");

    private final String label;

    EndpointCounter(final String label)
    {
        this.label = label;
    }

    /** Returns the position in this enumeration. */
    public int id()
    {
        return ordinal();
    }

    /** Returns the label for output and JSON, lower case with hyphens. */
    public String label()
    {
        return label;
    }
}
