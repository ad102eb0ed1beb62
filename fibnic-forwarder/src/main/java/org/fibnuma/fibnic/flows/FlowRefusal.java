package org.fibnuma.fibnic.flows;

import org.fibnuma.binding.conntrack.ConntrackEntry;
import org.fibnuma.core.wire.IpProtocol;

import java.util.Locale;

/** Why the kernel keeps a connection whose packets the host's packet filters have accepted in both directions. */
public enum FlowRefusal
{
    /** It has ended. */
    GONE("the connection has ended"),
    /** It is not established in both directions yet, or closes. */
    NOT_ESTABLISHED("not established in both directions"),
    /** Its protocol is neither TCP nor UDP. */
    PROTOCOL("neither TCP nor UDP"),
    /** A helper of conntrack reads its packets. */
    HELPER("a helper of conntrack reads the packets"),
    /** Its sequence numbers are changed. */
    SEQUENCE_ADJUSTMENT("sequence numbers are adjusted, by a helper or by synproxy"),
    /** It is in a conntrack zone. */
    ZONE("in a conntrack zone other than 0"),
    /** Its timeout cannot be changed. */
    FIXED_TIMEOUT("the timeout is fixed"),
    /** Two entries have met in the kernel. */
    NAT_CLASH("address translation clashed with another connection"),
    /** One of its directions came in by several interfaces, or by one that is not the router's. */
    INTERFACES("packets of one direction come in by several interfaces or by one that is no port"),
    /** Another flow has the same tuple and interface. */
    AMBIGUOUS("another connection has the same addresses and ports on the same interface"),
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
        if ((entry.status() & ConntrackEntry.FIXED_TIMEOUT) != 0 || entry.timeoutSeconds() <= 0)
        {
            return FIXED_TIMEOUT;
        }
        return (entry.status() & ConntrackEntry.NAT_CLASH) != 0 ? NAT_CLASH : null;
    }

    /** Those for which the rules of the packet filters were examined, see {@code HostRestriction.Kind.NETFILTER}. */
    private static boolean isProtocol(final ConntrackEntry entry)
    {
        final int protocol = entry.original().protocol();
        return protocol == IpProtocol.TCP || protocol == IpProtocol.UDP;
    }

    private static boolean isEstablished(final ConntrackEntry entry)
    {
        final int needed = ConntrackEntry.CONFIRMED | ConntrackEntry.SEEN_REPLY | ConntrackEntry.ASSURED;
        return (entry.status() & needed) == needed &&
            (entry.original().protocol() != IpProtocol.TCP || entry.tcpState() == ConntrackEntry.TCP_ESTABLISHED);
    }
}
