package org.fibnuma.fibnic.stage;

/** The stages of the data path in the order in which a frame may pass them. */
public enum Stage
{
    /** Completes partial checksums. */
    CHECKSUM_COMPLETION("ChecksumCompletion"),
    /** Removes priority tags in a router with lossless priorities. */
    PRIORITY_TAG_INPUT("PriorityTagInput"),
    /** Removes the tags of VLAN interfaces. */
    VLAN_INPUT("VlanInput"),
    /** Divides frames into ordinary ones and exceptions. */
    FRAME_CLASSIFIER("FrameClassifier"),
    /** Checks the Ethernet header of exceptions. */
    ETHERNET_INPUT("EthernetInput"),
    /** Checks the IPv4 header of exceptions. */
    IPV4_INPUT("Ipv4Input"),
    /** Checks the IPv6 header of exceptions. */
    IPV6_INPUT("Ipv6Input"),
    /** Judges packets by the access list of the ingress port. */
    ACCESS_INPUT("AccessInput"),
    /** Checks the route to the source. */
    IPV4_REVERSE_PATH("Ipv4ReversePath"),
    /** Looks up IPv4 destinations. */
    IPV4_LOOKUP("Ipv4Lookup"),
    /** Looks up IPv6 destinations. */
    IPV6_LOOKUP("Ipv6Lookup"),
    /** Selects one of several next hops. */
    MULTIPATH_SELECTION("MultipathSelection"),
    /** Processes IPv4 options. */
    IPV4_OPTIONS("Ipv4Options"),
    /** Rewrites IPv4 frames for the next link. */
    IPV4_REWRITE("Ipv4Rewrite"),
    /** Rewrites IPv6 frames for the next link. */
    IPV6_REWRITE("Ipv6Rewrite"),
    /** Judges packets by the access list of the egress port. */
    ACCESS_OUTPUT("AccessOutput"),
    /** Writes ICMP errors. */
    ICMP_ERRORS("IcmpErrors"),
    /** Writes ICMPv6 errors. */
    ICMPV6_ERRORS("Icmpv6Errors"),
    /** Holds frames for unresolved neighbours. */
    NEIGHBOR_HOLD("NeighborHold"),
    /** Consumes pauses in a router with lossless priorities. */
    PAUSE_INPUT("PauseInput"),
    /** Passes frames to the kernel. */
    PUNT_OUTPUT("PuntOutput"),
    /** Counts and releases dropped frames. */
    DROP_OUTPUT("DropOutput"),
    /** Sends redirects of both families. */
    ICMP_REDIRECTS("IcmpRedirects"),
    /** Inserts the tags of VLAN interfaces. */
    VLAN_OUTPUT("VlanOutput"),
    /** Fragments IPv4 packets. */
    IPV4_FRAGMENTER("Ipv4Fragmenter"),
    /** Sends or queues frames. */
    EGRESS_QUEUES("EgressQueues");

    private static final Stage[] BY_ID = values();

    private final String label;

    Stage(final String label)
    {
        this.label = label;
    }

    /** Returns the stage of an id, null if there is none. */
    public static Stage of(final int id)
    {
        return id < 0 || id >= BY_ID.length ? null : BY_ID[id];
    }

    /** Returns the name of the class. */
    public String label()
    {
        return label;
    }
}
