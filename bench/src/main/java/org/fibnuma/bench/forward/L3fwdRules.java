package org.fibnuma.bench.forward;

import org.fibnuma.bench.fib.DualStackTable;
import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv6Prefix;
import org.fibnuma.fibnic.routes.Ipv6RouteList;
import org.fibnuma.fibnic.routes.RouteList;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

/**
 * A table in the format of DPDK's l3fwd, {@code R1.0.0.0/20 1} or {@code R2001:db8::/32 1}. A rule names a port where a
 * route names a next hop, and all rules lead to the sink. rte_lpm and rte_lpm6 accept lengths from 1, so a default
 * route is written as its two halves.
 */
final class L3fwdRules
{
    private static final int SINK_PORT = 1;
    private static final int UPPER_HALF = 0x8000_0000;
    /** Bits of an address that rte_lpm and rte_lpm6 resolve in their first step. */
    private static final int FIRST_STEP_BITS = 24;
    /** The only IPv6 rule without IPv6 routes, as l3fwd does not start without one; RFC 3849, for documentation. */
    private static final Ipv6Prefix DOCUMENTATION = Ipv6Prefix.parse("2001:db8::/32");
    private static final Ipv6Prefix IPV6_LOWER_HALF = Ipv6Prefix.parse("::/1");
    private static final Ipv6Prefix IPV6_UPPER_HALF = Ipv6Prefix.parse("8000::/1");

    private final RouteList routes;
    private final Ipv6RouteList ipv6Routes;

    L3fwdRules(final DualStackTable table)
    {
        this.routes = table.ipv4();
        this.ipv6Routes = table.ipv6();
    }

    /** Returns the number of IPv4 rules: one for each route, two for a default route. */
    int count()
    {
        int count = routes.size();
        for (int i = 0; i < routes.size(); i++)
        {
            count += routes.length(i) == 0 ? 1 : 0;
        }
        return count;
    }

    /** Returns the number of IPv6 rules: one for each route, two for a default route, at least one. */
    int ipv6Count()
    {
        int count = ipv6Routes.size();
        for (int i = 0; i < ipv6Routes.size(); i++)
        {
            count += ipv6Routes.prefix(i).length() == 0 ? 1 : 0;
        }
        return Math.max(1, count);
    }

    /** Returns the number of /24 networks with longer routes; rte_lpm needs a group in memory for each. */
    int groups()
    {
        final BitSet groups = new BitSet();
        for (int i = 0; i < routes.size(); i++)
        {
            if (routes.length(i) > FIRST_STEP_BITS)
            {
                groups.set(routes.prefix(i) >>> Integer.SIZE - FIRST_STEP_BITS);
            }
        }
        return groups.cardinality();
    }

    /** Returns the number of networks of /24, /32 and so on to /120 with longer routes: the groups of rte_lpm6. */
    int ipv6Groups()
    {
        final Set<Ipv6Prefix> groups = new HashSet<>();
        for (int i = 0; i < ipv6Routes.size(); i++)
        {
            final Ipv6Prefix prefix = ipv6Routes.prefix(i);
            for (int length = FIRST_STEP_BITS; length < prefix.length(); length += Byte.SIZE)
            {
                groups.add(Ipv6Prefix.of(prefix.high(), prefix.low(), length));
            }
        }
        return groups.size();
    }

    /**
     * Writes both rule files.
     *
     * @param ipv4File file for the IPv4 rules.
     * @param ipv6File file for the IPv6 rules, or for the one that l3fwd requires.
     */
    void write(final Path ipv4File, final Path ipv6File)
    {
        try (BufferedWriter ipv4 = Files.newBufferedWriter(ipv4File, StandardCharsets.US_ASCII);
            BufferedWriter ipv6 = Files.newBufferedWriter(ipv6File, StandardCharsets.US_ASCII))
        {
            writeIpv4(ipv4);
            writeIpv6(ipv6);
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot write rules for l3fwd: " + ex.getMessage(), ex);
        }
    }

    private void writeIpv4(final BufferedWriter writer) throws IOException
    {
        for (int i = 0; i < routes.size(); i++)
        {
            if (routes.length(i) == 0)
            {
                writer.write(rule(Ipv4Address.format(0) + "/1"));
                writer.write(rule(Ipv4Address.format(UPPER_HALF) + "/1"));
            }
            else
            {
                writer.write(rule(Ipv4Address.format(routes.prefix(i)) + "/" + routes.length(i)));
            }
        }
    }

    private void writeIpv6(final BufferedWriter writer) throws IOException
    {
        if (ipv6Routes.size() == 0)
        {
            writer.write(rule(DOCUMENTATION));
        }
        for (int i = 0; i < ipv6Routes.size(); i++)
        {
            final Ipv6Prefix prefix = ipv6Routes.prefix(i);
            if (prefix.length() == 0)
            {
                writer.write(rule(IPV6_LOWER_HALF));
                writer.write(rule(IPV6_UPPER_HALF));
            }
            else
            {
                writer.write(rule(prefix));
            }
        }
    }

    private static String rule(final Object prefix)
    {
        return "R" + prefix + " " + SINK_PORT + "\n";
    }
}
