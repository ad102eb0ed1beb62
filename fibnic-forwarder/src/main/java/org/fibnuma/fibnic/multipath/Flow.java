package org.fibnuma.fibnic.multipath;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.acl.AccessKeys;
import org.fibnuma.fibnic.acl.AccessPacket;
import org.fibnuma.fibnic.acl.AccessProtocols;
import org.fibnuma.fibnic.acl.AccessRule;

/**
 * The fields of the packets of a flow that {@link FlowHash} uses.
 *
 * @param source          address; both addresses are of one family.
 * @param destination     address.
 * @param protocol        0 to 255; of IPv6 the first next header.
 * @param sourcePort      0 to 65,535; 0 if the protocol has none.
 * @param destinationPort 0 to 65,535; 0 if the protocol has none.
 * @param flowLabel       of IPv6, 20 bits; else 0.
 */
public record Flow(
    IpAddress source, IpAddress destination, int protocol, int sourcePort, int destinationPort, int flowLabel)
{
    private static final int LABEL = 5;
    private static final int HIGHEST_PORT = 65_535;
    private static final int HIGHEST_LABEL = 0xFFFFF;

    /**
     * Parses {@code source,destination,protocol,source-port,destination-port}, and for IPv6 optionally a flow label.
     *
     * @param text such as {@code 10.0.0.2,192.0.2.1,tcp,40000,443}.
     * @throws IllegalArgumentException in one line if it is none.
     */
    public static Flow parse(final String text)
    {
        final String[] fields = text.split(",", -1);
        if (fields.length != LABEL && fields.length != LABEL + 1)
        {
            throw new IllegalArgumentException("\"" + text + "\" is not a flow; give source,destination,protocol," +
                "source-port,destination-port, such as 10.0.0.2,192.0.2.1,tcp,40000,443");
        }
        int field = 0;
        final IpAddress source = IpAddress.parse(fields[field++].strip());
        final IpAddress destination = IpAddress.parse(fields[field++].strip());
        if (source.isIpv4() != destination.isIpv4())
        {
            throw new IllegalArgumentException("source and destination of the flow are not of one family");
        }
        final int protocol = AccessProtocols.parse(fields[field++].strip());
        final int sourcePort = number("source port", fields[field++], HIGHEST_PORT);
        final int destinationPort = number("destination port", fields[field], HIGHEST_PORT);
        if ((sourcePort | destinationPort) != 0 && !AccessRule.hasPorts(protocol))
        {
            throw new IllegalArgumentException(
                "protocol " + AccessProtocols.format(protocol) + " has no ports; give 0 for both");
        }
        return new Flow(source, destination, protocol, sourcePort, destinationPort, fields.length == LABEL ? 0 :
            number("flow label", fields[LABEL], source.isIpv4() ? 0 : HIGHEST_LABEL));
    }

    private static int number(final String what, final String field, final int highest)
    {
        try
        {
            final int number = Integer.decode(field.strip());
            if (number >= 0 && number <= highest)
            {
                return number;
            }
        }
        catch (final NumberFormatException ignore)
        {
            // The message below fits a text that is not a number too.
        }
        throw new IllegalArgumentException(what + " \"" + field + "\" is not in 0 to " + highest);
    }

    AccessPacket packet()
    {
        return new AccessPacket(
            source, destination, protocol, sourcePort, destinationPort, 0, 0, AccessKeys.WHOLE);
    }
}
