package org.fibnuma.ipnuma.fate;

/** What the endpoint counts beside drops. {@link #RECEIVED} is the sum of {@link #DELIVERED}, {@link #ARP}, drops. */
public enum EndpointCounter
{
    /** Frames taken from the port. */
    RECEIVED("received"),
    /** Bytes of them, without FCS. */
    RECEIVED_BYTES("received-bytes"),
    /** Received datagrams handed to the peer that they came from. */
    DELIVERED("delivered"),
    /** Received ARP packets that were read. */
    ARP("arp"),
    /** Frames given to the port. */
    SENT("sent"),
    /** Bytes of them, without FCS. */
    SENT_BYTES("sent-bytes"),
    /** Frames that found the port full. */
    SENT_LOST("sent-lost"),
    /** Datagrams not made because all chunks of memory were in use. */
    NO_MEMORY("no-memory"),
    /** ARP requests for the station of a peer, or of the gateway to it, that is not known. */
    UNRESOLVED("unresolved"),
    /** ARP requests sent. */
    ARP_REQUESTS("arp-requests"),
    /** ARP replies sent. */
    ARP_REPLIES("arp-replies"),
    /** ARP packets of another station that claims the endpoint's address. */
    ADDRESS_CONFLICTS("address-conflicts"),
    /** Datagrams of peers without sessions that are not as their format says; as with the next three, none is taken. */
    MALFORMED("malformed"),
    /** Datagrams of peers without sessions with a request that crosses a boundary of 4 KiB. */
    CROSSES_BOUNDARY("crosses-4-kib"),
    /** Datagrams of peers without sessions with bytes behind what their format carries. */
    TRAILING_BYTES("trailing-bytes"),
    /** Datagrams of peers without sessions whose list has no end code. */
    NO_END_CODE("no-end-code"),
    /** Accesses of peers without sessions that no region admitted. */
    REFUSED("refused"),
    /** Datagrams of peers with a key that were not sealed, came before, or were not theirs. */
    SEAL_REFUSED("seal-refused"),
    /** Clients that lost their connection: dead, silent, or storing what no client may. */
    CLIENTS_GIVEN_UP("clients-given-up"),
    /** Received datagrams whose checksum was partial, taken without one. */
    PARTIAL_CHECKSUMS("partial-checksums"),
    /** Times that files in shared memory were too short, cut by another process, and were given their length back. */
    FILES_RESTORED("files-restored");

    private final String label;

    EndpointCounter(final String label)
    {
        this.label = label;
    }

    /**
     * Its number among the counters.
     *
     * @return the position in this enumeration.
     */
    public int id()
    {
        return ordinal();
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
