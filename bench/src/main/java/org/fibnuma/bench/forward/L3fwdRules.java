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
 * A table as DPDK's l3fwd reads it, {@code R1.0.0.0/20 1}: where the router has next hops, l3fwd has ports, and all
 * routes lead to the sink. rte_lpm takes lengths from 1 on, so a default route is written as its two halves.
 */
final class L3fwdRules
{
    private static final int SINK_PORT = 1;
    private static final int UPPER_HALF = 0x8000_0000;
    /** Bits of an address that rte_lpm looks up in one step (RTE_LPM_MAX_DEPTH minus the 8 of a group). */
    private static final int FIRST_STEP_BITS = 24;
    /** It does not start without a rule for IPv6; this is of RFC 3849's documentation prefix. */
    private static final String IPV6 = "R2001:0db8:0000:0000:0000:0000:0000:0000/32 " + SINK_PORT + "\n";

    private final RouteList routes;

    L3fwdRules(final RouteList routes)
    {
        this.routes = routes;
    }

    /** How many IPv4 rules there are: one for each route, two for a default route. */
    int count()
    {
        int count = routes.size();
        for (int i = 0; i < routes.size(); i++)
        {
            count += routes.length(i) == 0 ? 1 : 0;
        }
        return count;
    }

    /** How many groups of 256 addresses have routes longer than /24, which is how many rte_lpm needs in memory. */
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
     * Writes both files.
     *
     * @param ipv4File for every route.
     * @param ipv6File for the one rule that must be there.
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
