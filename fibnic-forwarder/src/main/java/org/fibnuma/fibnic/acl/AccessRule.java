package org.fibnuma.fibnic.acl;

import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.core.wire.IpProtocol;

import java.util.Set;

/**
 * A rule of an access list. A packet matches if every condition matches. A rule with a condition on ports, ICMP type or
 * TCP flags matches no fragment but the first, because the others do not have these fields.
 *
 * @param ipv4             whether IPv4 packets can match.
 * @param ipv6             whether IPv6 packets can match.
 * @param source           prefix of the source, null for any.
 * @param destination      prefix of the destination, null for any.
 * @param protocol         of the transport header, 0 to 255, or {@link #ANY}.
 * @param sourcePorts      of protocols with ports; of ICMP the type.
 * @param destinationPorts of protocols with ports; of ICMP the code.
 * @param tcpFlagsMask     the compared flags of TCP, 0 for none.
 * @param tcpFlags         their values; no other bits.
 * @param dscp             0 to 63, or {@link #ANY}.
 * @param fragments        that match.
 * @param action           for packets that match.
 * @param line             in the configuration file, 0 if it is from no file.
 */
public record AccessRule(
    boolean ipv4,
    boolean ipv6,
    IpPrefix source,
    IpPrefix destination,
    int protocol,
    PortRange sourcePorts,
    PortRange destinationPorts,
    int tcpFlagsMask,
    int tcpFlags,
    int dscp,
    FragmentMatch fragments,
    AccessAction action,
    int line)
{
    /** Any protocol, any DSCP. */
    public static final int ANY = -1;

    /** Datagram Congestion Control Protocol, RFC 4340. */
    public static final int DCCP = 33;

    private static final Set<Integer> WITH_PORTS =
        Set.of(IpProtocol.TCP, IpProtocol.UDP, DCCP, IpProtocol.SCTP, IpProtocol.UDP_LITE);

    /** Restricts the families to that of the prefixes. */
    public AccessRule
    {
        ipv4 = ipv4 && !isOf(source, true) && !isOf(destination, true);
        ipv6 = ipv6 && !isOf(source, false) && !isOf(destination, false);
    }

    private static boolean isOf(final IpPrefix prefix, final boolean isIpv6)
    {
        return prefix != null && prefix.isIpv6() == isIpv6;
    }

    /** Returns a rule that every packet matches. */
    public static AccessRule all(final AccessAction action)
    {
        return new AccessRule(
            true, true, null, null, ANY, PortRange.ANY, PortRange.ANY, 0, 0, ANY, FragmentMatch.ANY, action, 0);
    }

    /** Returns whether a protocol has a source and a destination port in its first four bytes. */
    public static boolean hasPorts(final int protocol)
    {
        return WITH_PORTS.contains(protocol);
    }

    /** Returns whether a protocol is ICMP or ICMPv6. */
    public static boolean isIcmp(final int protocol)
    {
        return protocol == IpProtocol.ICMP || protocol == IpProtocol.ICMPV6;
    }

    /** Returns the rule with line 0, so that rules of two files are equal if their conditions and actions are. */
    public AccessRule withoutLine()
    {
        return new AccessRule(
            ipv4, ipv6, source, destination, protocol, sourcePorts, destinationPorts, tcpFlagsMask, tcpFlags, dscp,
            fragments, action, 0);
    }

    /** Returns whether packets of a family, IPv6 or IPv4, can match. */
    public boolean isOf(final boolean isIpv6)
    {
        return isIpv6 ? ipv6 : ipv4;
    }

    /** Returns whether the rule has a condition on ports, ICMP type or code, or TCP flags. */
    public boolean needsTransport()
    {
        return !sourcePorts.isAny() || !destinationPorts.isAny() || tcpFlagsMask != 0;
    }

    /** Returns whether a packet matches. {@link AccessClassifier} must agree with this definition. */
    public boolean matches(final AccessPacket packet)
    {
        return isOf(packet.isIpv6()) &&
            (source == null || source.contains(packet.source())) &&
            (destination == null || destination.contains(packet.destination())) &&
            (protocol == ANY || protocol == packet.protocol()) &&
            (dscp == ANY || dscp == packet.dscp()) &&
            fragments.matches(packet.state()) &&
            (!needsTransport() || packet.hasTransport() &&
            sourcePorts.contains(packet.sourcePort()) &&
            destinationPorts.contains(packet.destinationPort()) &&
            (packet.tcpFlags() & tcpFlagsMask) == tcpFlags);
    }

    /**
     * Returns whether every packet of a family that matches another rule matches this one. The conditions are compared
     * one by one.
     *
     * @return false if one condition of this rule does not cover that of the other rule.
     */
    boolean covers(final AccessRule inner, final boolean isIpv6)
    {
        return isOf(isIpv6) &&
            covers(source, inner.source) &&
            covers(destination, inner.destination) &&
            coversKind(inner) &&
            coversMark(inner) &&
            sourcePorts.covers(inner.sourcePorts) &&
            destinationPorts.covers(inner.destinationPorts);
    }

    /** Returns whether every address in a prefix is in another; null is the prefix of all addresses. */
    static boolean covers(final IpPrefix outer, final IpPrefix inner)
    {
        return outer == null || outer.length() == 0 || inner != null && outer.covers(inner);
    }

    /** Returns whether the rule matches the protocols and states of fragments that another rule matches. */
    boolean coversKind(final AccessRule inner)
    {
        return (protocol == ANY || protocol == inner.protocol) &&
            (fragments == FragmentMatch.ANY || fragments == inner.fragments) &&
            (!needsTransport() || inner.needsTransport());
    }

    /** Returns whether the rule matches the values of DSCP and TCP flags that another rule matches. */
    boolean coversMark(final AccessRule inner)
    {
        return (dscp == ANY || dscp == inner.dscp) &&
            (inner.tcpFlagsMask & tcpFlagsMask) == tcpFlagsMask && (inner.tcpFlags & tcpFlagsMask) == tcpFlags;
    }

    /** Returns the rule as text with the keys of the configuration. */
    public String text()
    {
        final StringBuilder text = new StringBuilder(action.key());
        if (ipv4 != ipv6)
        {
            text.append(ipv4 ? " ipv4" : " ipv6");
        }
        if (protocol != ANY)
        {
            text.append(" protocol ").append(AccessProtocols.format(protocol));
        }
        if (source != null)
        {
            text.append(" source ").append(source);
        }
        if (!sourcePorts.isAny())
        {
            text.append(isIcmp(protocol) ? " icmp-type " : " source-port ").append(sourcePorts);
        }
        if (destination != null)
        {
            text.append(" destination ").append(destination);
        }
        if (!destinationPorts.isAny())
        {
            text.append(isIcmp(protocol) ? " icmp-code " : " destination-port ").append(destinationPorts);
        }
        if (tcpFlagsMask != 0)
        {
            text.append(" tcp-flags ").append(TcpFlags.format(tcpFlags, tcpFlagsMask));
        }
        if (dscp != ANY)
        {
            text.append(" dscp ").append(dscp);
        }
        if (fragments != FragmentMatch.ANY)
        {
            text.append(" fragments ").append(fragments.key());
        }
        return text.toString();
    }
}
