package org.fibnuma.fibnic.flows;

import org.fibnuma.binding.conntrack.ConntrackEntry;
import org.fibnuma.core.flow.FlowPacket;
import org.fibnuma.core.flow.FlowTuple;
import org.fibnuma.core.wire.IpProtocol;

import java.util.Locale;

/** Why the kernel keeps a connection whose packets the host's packet filters have accepted in both directions. */
public enum FlowRefusal
{
    /** It has ended. */
    GONE("the connection has ended"),
    /** It is not established in both directions yet, or closes. */
    NOT_ESTABLISHED("not established in both directions"),
    /** Its packets are not forwarded by flows, see {@link FlowPacket}; SCTP is not translated. */
    PROTOCOL("neither TCP, UDP, UDP-Lite, ICMP echo nor SCTP without address translation"),
    /** A rule acts on single packets of its protocol. */
    RULE("a rule of the packet filters judges each packet of this protocol"),
    /** A rule judges single packets, and the ruleset does not put this connection into a flowtable. */
    NOT_OFFLOADED("not in a flowtable (flow add), and a rule judges each packet"),
    /** A helper of conntrack reads its packets. */
    HELPER("a helper of conntrack reads the packets"),
    /** Its sequence numbers are changed. */
    SEQUENCE_ADJUSTMENT("sequence numbers are adjusted, by a helper or by synproxy"),
    /** It is in a conntrack zone. */
    ZONE("in a conntrack zone other than 0"),
    /** Its timeout cannot be changed, or ends before a flowtable of the kernel leaves it. */
    FIXED_TIMEOUT("the timeout is fixed, or not longer than that of flowtables"),
    /** Two entries have met in the kernel. */
    NAT_CLASH("address translation clashed with another connection"),
    /** One of its directions came in by several interfaces, or by one that is not the router's. */
    INTERFACES("packets of one direction come in by several interfaces or by one that is no port"),
    /** Another flow has the same tuple and interface. */
    AMBIGUOUS("another connection has the same addresses and ports on the same interface"),
    /** Its entry is not refreshed, so that it expires unless the kernel sees its packets. */
    REFRESHES("flow-refreshes-per-second leaves no refresh for the entry"),
    /** The table has no room. */
    TABLE_FULL("the table of flows is full");

    private final String text;

    FlowRefusal(final String text)
    {
        this.text = text;
    }

    /** Returns the name for output and JSON, in lower case with hyphens. */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the reason as part of a sentence. */
    public String text()
    {
        return text;
    }

    /** Returns why an entry is refused whatever its interfaces are, null if it is not; the entry is null if gone. */
    static FlowRefusal of(final ConntrackEntry entry)
    {
        if (entry == null || (entry.status() & ConntrackEntry.DYING) != 0)
        {
            return GONE;
        }
        if (!isProtocol(entry))
        {
            return PROTOCOL;
        }
        if (!isEstablished(entry))
        {
            return NOT_ESTABLISHED;
        }
        if (entry.hasHelper() || (entry.status() & ConntrackEntry.HELPER) != 0)
        {
            return HELPER;
        }
        if (entry.hasSequenceAdjustment() || entry.hasSynproxy() ||
            (entry.status() & ConntrackEntry.SEQ_ADJUST) != 0)
        {
            return SEQUENCE_ADJUSTMENT;
        }
        if (entry.zone() != 0 || entry.hasDirectionalZone())
        {
            return ZONE;
        }
        if ((entry.status() & ConntrackEntry.FIXED_TIMEOUT) != 0 ||
            entry.timeoutSeconds() <= 0 && !entry.isOffloaded())
        {
            return FIXED_TIMEOUT;
        }
        return (entry.status() & ConntrackEntry.NAT_CLASH) != 0 ? NAT_CLASH : null;
    }

    private static boolean isProtocol(final ConntrackEntry entry)
    {
        final FlowTuple original = entry.original();
        return original.isIcmp() ? original.isEcho() : original.protocol() == IpProtocol.SCTP ?
            entry.reply().equals(original.inverse()) :
            FlowPacket.protocols(original.isIpv6()).contains(original.protocol());
    }

    private static boolean isEstablished(final ConntrackEntry entry)
    {
        return isAccepted(entry) && switch (entry.original().protocol())
        {
            case IpProtocol.TCP -> entry.isOffloaded() || entry.tcpState() == ConntrackEntry.TCP_ESTABLISHED;
            case IpProtocol.SCTP -> entry.sctpState() == ConntrackEntry.SCTP_ESTABLISHED;
            default -> true;
        };
    }

    /**
     * Returns whether the status is that of an established connection. An ICMP query is never assured, and UDP is not
     * by packets that the kernel does not see because a flowtable has them.
     */
    static boolean isAccepted(final ConntrackEntry entry)
    {
        final int needed = ConntrackEntry.CONFIRMED | ConntrackEntry.SEEN_REPLY |
            (entry.original().isIcmp() || entry.isOffloaded() ? 0 : ConntrackEntry.ASSURED);
        return (entry.status() & needed) == needed;
    }
}
