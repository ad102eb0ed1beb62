package org.fibnuma.fibnic.stage;

import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.ForwarderCounter;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The stages of the data path in the order in which a frame may pass them, each with a count of frames and the reasons
 * for which it drops frames. {@code Pipeline} of the data path calls them in this order. The label of a stage is the
 * name of its class there.
 */
public enum Stage
{
    CHECKSUM_COMPLETION("ChecksumCompletion"),
    PRIORITY_TAG_INPUT("PriorityTagInput"),
    VLAN_INPUT("VlanInput"),
    FRAME_CLASSIFIER("FrameClassifier", "ordinary", ForwarderCounter.RECEIVED),
    ETHERNET_INPUT("EthernetInput", "received", ForwarderCounter.RECEIVED,
        DropReason.ETHERNET_TOO_SHORT, DropReason.ETHERNET_OTHER_HOST, DropReason.VLAN_RESERVED,
        DropReason.VLAN_UNKNOWN),
    IPV4_INPUT("Ipv4Input", "received", ForwarderCounter.IPV4,
        DropReason.IPV4_TOO_SHORT, DropReason.IPV4_BAD_VERSION, DropReason.IPV4_BAD_HEADER_LENGTH,
        DropReason.IPV4_HEADER_TRUNCATED, DropReason.IPV4_BAD_CHECKSUM, DropReason.IPV4_BAD_TOTAL_LENGTH,
        DropReason.IPV4_TRUNCATED, DropReason.IPV4_MARTIAN_SOURCE, DropReason.IPV4_MARTIAN_DESTINATION,
        DropReason.IPV4_LINK_BROADCAST, DropReason.IPV4_OWN_SOURCE, DropReason.IPV4_BROADCAST_SOURCE),
    IPV6_INPUT("Ipv6Input", "received", ForwarderCounter.IPV6,
        DropReason.IPV6_TOO_SHORT, DropReason.IPV6_BAD_VERSION, DropReason.IPV6_TRUNCATED,
        DropReason.IPV6_MARTIAN_SOURCE, DropReason.IPV6_MARTIAN_DESTINATION, DropReason.IPV6_LINK_BROADCAST,
        DropReason.IPV6_OWN_SOURCE),
    ACCESS_INPUT("AccessInput", "received", ForwarderCounter.RECEIVED,
        DropReason.ACCESS_DENIED, DropReason.ACCESS_PROHIBITED),
    IPV4_REVERSE_PATH("Ipv4ReversePath", "received", ForwarderCounter.IPV4, DropReason.IPV4_REVERSE_PATH),
    FLOW_INPUT("FlowInput", "flows", ForwarderCounter.FLOWS),
    IPV4_LOOKUP("Ipv4Lookup"),
    IPV6_LOOKUP("Ipv6Lookup"),
    MULTIPATH_SELECTION("MultipathSelection"),
    IPV4_OPTIONS("Ipv4Options", "exceptions", ForwarderCounter.EXCEPTIONS,
        DropReason.IPV4_BAD_OPTION, DropReason.IPV4_SOURCE_ROUTE),
    IPV4_REWRITE("Ipv4Rewrite", "forwarded", ForwarderCounter.IPV4_FORWARDED,
        DropReason.IPV4_TTL_EXPIRED, DropReason.IPV4_NO_ROUTE, DropReason.IPV4_TOO_BIG,
        DropReason.IPV4_OLD_BROADCAST,
        DropReason.ROUTE_BLACKHOLE, DropReason.ROUTE_UNREACHABLE, DropReason.ROUTE_PROHIBIT),
    IPV6_REWRITE("Ipv6Rewrite", "forwarded", ForwarderCounter.IPV6_FORWARDED,
        DropReason.IPV6_HOP_LIMIT, DropReason.IPV6_NO_ROUTE, DropReason.IPV6_TOO_BIG,
        DropReason.IPV6_BEYOND_SCOPE,
        DropReason.ROUTE_BLACKHOLE, DropReason.ROUTE_UNREACHABLE, DropReason.ROUTE_PROHIBIT),
    ACCESS_OUTPUT("AccessOutput", "received", ForwarderCounter.RECEIVED,
        DropReason.ACCESS_DENIED, DropReason.ACCESS_PROHIBITED),
    ICMP_ERRORS("IcmpErrors", "originated", ForwarderCounter.ORIGINATED),
    ICMPV6_ERRORS("Icmpv6Errors"),
    NEIGHBOR_HOLD("NeighborHold", "held", ForwarderCounter.HELD,
        DropReason.NEIGHBOR_UNRESOLVED, DropReason.HOLD_FULL),
    PAUSE_INPUT("PauseInput", "consumed", ForwarderCounter.CONSUMED),
    PUNT_OUTPUT("PuntOutput", "punted", ForwarderCounter.PUNTED,
        DropReason.PUNT_NO_PATH, DropReason.PUNT_FULL, DropReason.PUNT_RATE),
    DROP_OUTPUT("DropOutput"),
    ICMP_REDIRECTS("IcmpRedirects"),
    VLAN_OUTPUT("VlanOutput"),
    IPV4_FRAGMENTER("Ipv4Fragmenter", "fragments", ForwarderCounter.FRAGMENTS, DropReason.FRAGMENT_NO_BUFFER),
    EGRESS_QUEUES("EgressQueues", "forwarded", ForwarderCounter.FORWARDED,
        DropReason.EGRESS_FULL, DropReason.PFC_STORM, DropReason.PFC_BEYOND_HEADROOM),
    /** Sends the frames of the kernel of this host, which pass no other stage but {@link #EGRESS_QUEUES}. */
    HOST_INPUT("HostInput", "fromHost", ForwarderCounter.FROM_HOST);

    private static final Stage[] BY_ID = values();

    private final String label;
    private final String which;
    private final ForwarderCounter counter;
    private final Set<DropReason> reasons;

    /** A stage that counts nothing and drops nothing. */
    Stage(final String label)
    {
        this(label, null, null);
    }

    Stage(final String label, final String which, final ForwarderCounter counter, final DropReason... reasons)
    {
        this.label = label;
        this.which = which;
        this.counter = counter;
        final Set<DropReason> set = EnumSet.noneOf(DropReason.class);
        set.addAll(List.of(reasons));
        this.reasons = Collections.unmodifiableSet(set);
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

    /** Returns what the frames of {@link #counter()} are, in one word; null for a stage without a counter. */
    public String which()
    {
        return which;
    }

    /**
     * Returns the counter whose frames are shown for the stage, null for none. {@link #FRAME_CLASSIFIER} subtracts
     * {@link ForwarderCounter#EXCEPTIONS} from its counter.
     */
    public ForwarderCounter counter()
    {
        return counter;
    }

    /** Returns the reasons for which the stage drops frames; another stage may have the same. */
    public Set<DropReason> reasons()
    {
        return reasons;
    }
}
