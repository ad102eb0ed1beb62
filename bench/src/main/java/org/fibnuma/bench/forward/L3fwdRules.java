package org.fibnuma.bench.forward;

import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.routes.RouteList;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;

/**
 * A table in the format of DPDK's l3fwd, {@code R1.0.0.0/20 1}. A rule names a port where a route names a next hop, and
 * all rules lead to the sink. rte_lpm accepts lengths from 1, so a default route is written as its two halves.
 */
final class L3fwdRules
{
    private static final int SINK_PORT = 1;
    private static final int UPPER_HALF = 0x8000_0000;
    /** Bits of an address that rte_lpm resolves in its first step (RTE_LPM_MAX_DEPTH minus the 8 of a group). */
    private static final int FIRST_STEP_BITS = 24;
    /** IPv6 rule, without which l3fwd does not start; the prefix is that of RFC 3849, for documentation. */
    private static final String IPV6 = "R2001:0db8:0000:0000:0000:0000:0000:0000/32 " + SINK_PORT + "\n";

    private final RouteList routes;

    L3fwdRules(final RouteList routes)
    {
        this.routes = routes;
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

    /**
     * Writes both rule files.
     *
     * @param ipv4File file for the rules of all routes.
     * @param ipv6File file for the one required IPv6 rule.
     */
    void write(final Path ipv4File, final Path ipv6File)
    {
        try (BufferedWriter writer = Files.newBufferedWriter(ipv4File, StandardCharsets.US_ASCII))
        {
            for (int i = 0; i < routes.size(); i++)
            {
                if (routes.length(i) == 0)
                {
                    writer.write(rule(0, 1));
                    writer.write(rule(UPPER_HALF, 1));
                }
                else
                {
                    writer.write(rule(routes.prefix(i), routes.length(i)));
                }
            }
            Files.writeString(ipv6File, IPV6, StandardCharsets.US_ASCII);
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot write " + ipv4File + ": " + ex.getMessage(), ex);
        }
    }

    private static String rule(final int prefix, final int length)
    {
        return "R" + Ipv4Address.format(prefix) + "/" + length + " " + SINK_PORT + "\n";
    }
}
