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
    /** Datagrams not made because nobody has told the station of the peer, or of the gateway to it, yet. */
    UNRESOLVED("unresolved"),
    /** ARP requests sent. */
    ARP_REQUESTS("arp-requests"),
    /** ARP replies sent. */
    ARP_REPLIES("arp-replies"),
    /** ARP packets of another station that claims the endpoint's address. */
    ADDRESS_CONFLICTS("address-conflicts"),
    /** Datagrams of peers without sessions whose content is not what their format says. */
    MALFORMED("malformed"),
    /** Accesses of peers without sessions that no region admitted. */
    REFUSED("refused"),
    /** Datagrams of peers with a key that were not sealed, came before, or were not theirs. */
    SEAL_REFUSED("seal-refused");

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
