package org.fibnuma.fibnic.acl;

import org.fibnuma.core.wire.IpProtocol;

import java.util.Map;

/** The names of transport protocols in access lists. */
public final class AccessProtocols
{
    private static final int HIGHEST = 255;
    private static final Map<String, Integer> BY_NAME = Map.of(
        "icmp", IpProtocol.ICMP,
        "tcp", IpProtocol.TCP,
        "udp", IpProtocol.UDP,
        "dccp", AccessRule.DCCP,
        "icmpv6", IpProtocol.ICMPV6,
        "sctp", IpProtocol.SCTP,
        "udplite", IpProtocol.UDP_LITE,
        "gre", 47,
        "esp", 50,
        "ospf", 89);

    private AccessProtocols()
    {
    }

    /**
     * Parses a name or a number.
     *
     * @param text such as {@code tcp} or {@code 6}.
     * @return number of the protocol, 0 to 255.
     * @throws IllegalArgumentException quoting the text if it is neither.
     */
    public static int parse(final String text)
    {
        final Integer known = BY_NAME.get(text);
        final int number = known != null ? known : text.matches("\\d{1,3}") ? Integer.parseInt(text) : -1;
        if (number < 0 || number > HIGHEST)
        {
            throw new IllegalArgumentException("\"" + text + "\" is not a protocol; give 0 to 255 or one of " +
                String.join(", ", BY_NAME.keySet().stream().sorted().toList()));
        }
        return number;
    }

    /** Returns the name of a protocol, or its number if it has none here. */
    public static String format(final int protocol)
    {
        return BY_NAME.entrySet().stream().filter(entry -> entry.getValue() == protocol)
            .map(Map.Entry::getKey).findFirst().orElse(String.valueOf(protocol));
    }
}
