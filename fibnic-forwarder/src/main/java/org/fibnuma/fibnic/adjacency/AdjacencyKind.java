package org.fibnuma.fibnic.adjacency;

/** The treatment of a frame whose route has an adjacency of this kind. */
public enum AdjacencyKind
{
    /** Rewritten and sent: the next hop's link-layer address is known. */
    FORWARD,
    /** Held while the gateway's link-layer address is resolved. */
    UNRESOLVED,
    /** Connected network: the destination itself is the next hop and is not resolved yet. */
    GLEAN,
    /** One of several other adjacencies, which {@link AdjacencyGroup} selects by the flow of the frame. */
    GROUP,
    /** One of this host's own addresses. */
    LOCAL,
    /** A broadcast address of a connected network: for this host, not forwarded (RFC 1812 section 5.3.5). */
    BROADCAST,
    /** A route by an interface that is no port of this router: the kernel forwards the frame. */
    KERNEL,
    /**
     * The kernel decides about the frame: its route is of a type that the router does not follow, or a policy of the
     * host concerns the address.
     */
    PUNT,
    /** No route: dropped with an ICMP error, net unreachable. */
    NO_ROUTE,
    /** Dropped silently. */
    BLACKHOLE,
    /** Dropped with an ICMP error, host unreachable. */
    UNREACHABLE,
    /** Dropped with an ICMP error, administratively prohibited. */
    PROHIBIT
}
