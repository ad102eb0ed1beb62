package org.fibnuma.fibnic.control;

import org.agrona.concurrent.EpochClock;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.fibnic.rate.IcmpSettings;
import org.fibnuma.fibnic.rib.LinkTable;
import org.fibnuma.fibnic.rib.RoutingTables;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Follows the kernel's settings for ICMP errors and redirects, and for the IPv6 MTU of the ports (Linux,
 * Documentation/networking/ip-sysctl.rst). A setting that the router does not follow is logged unless it has its
 * default value. Control thread.
 */
final class AnswerSettings extends PolledSettings
{
    /** The settings of both families. */
    static final Path KERNEL = Path.of("/proc/sys/net");

    private static final String IPV4 = "ipv4";
    private static final int DEFAULT_RATE_MASK = 6168;
    private static final String DEFAULT_IPV6_RATE_MASK = "0-1,3-127";

    /** Settings that the router does not follow, and what it does. */
    private static final Map<String, String> OF_INTERFACES = Map.of(
        "route_localnet", "the router drops packets to and from 127/8",
        "bc_forwarding", "the router forwards no directed broadcasts",
        "drop_unicast_in_l2_multicast", "the router drops unicast packets in broadcast frames in any case");
    private static final Map<String, String> OF_HOST = Map.of(
        "ip_forward_use_pmtu", "the router uses the MTU of routes and links only");

    private final RoutingTables tables;
    private final IcmpSettings icmp;
    private final Consumer<String> log;
    private final Map<String, Integer> named = new HashMap<>();
    private IcmpSettings.Values before;

    /** Reads settings below a directory that has a subdirectory for each family. */
    AnswerSettings(
        final Path directory,
        final RoutingTables tables,
        final IcmpSettings icmp,
        final EpochClock clock,
        final Consumer<String> log)
    {
        super(directory, clock);
        this.tables = tables;
        this.icmp = icmp;
        this.log = log;
    }

    @Override
    void read()
    {
        final IcmpSettings.Values now = new IcmpSettings.Values(
            numberOf(IPV4, "icmp_errors_use_inbound_ifaddr", 0) != 0,
            numberOf(IPV4, "ip_default_ttl", IcmpSettings.Values.DEFAULT.ttl()),
            false,
            numberOf(IPV4, "icmp_ratemask", DEFAULT_RATE_MASK),
            bitsOf(textOf("ipv6/icmp", "ratemask", DEFAULT_IPV6_RATE_MASK)));
        if (!now.equals(before))
        {
            before = now;
            icmp.change(now);
        }
        OF_HOST.forEach((setting, effect) -> name("net.ipv4." + setting, numberOf(IPV4, setting, 0), effect));
        final LinkTable links = tables.links();
        final boolean all = isRedirecting("all");
        for (int port = 0; port < links.portCount(); port++)
        {
            final KernelLink link = links.get(links.interfaceOf(port));
            if (link != null)
            {
                readPort(link);
            }
            tables.sendRedirects(port, all || link != null && isRedirecting(link.name()));
        }
        for (final int vlan : links.vlans().interfaces())
        {
            tables.sendRedirects(links.numberOf(vlan), all || isRedirecting(links.get(vlan).name()));
        }
    }

    private boolean isRedirecting(final String name)
    {
        return numberOf("ipv4/conf/" + name, "send_redirects", 0) != 0;
    }

    private void readPort(final KernelLink link)
    {
        tables.ipv6Mtu(link.index(), numberOf("ipv6/conf/" + link.name(), "mtu", link.mtu()));
        OF_INTERFACES.forEach((setting, effect) -> name(
            "net.ipv4.conf." + link.name() + "." + setting,
            numberOf("ipv4/conf/" + link.name(), setting, 0), effect));
    }

    private void name(final String setting, final int value, final String effect)
    {
        final Integer known = named.put(setting, value);
        if (value != 0 && (known == null || known != value))
        {
            log.accept(setting + "=" + value + " is not followed: " + effect);
        }
    }

    /** Returns the bits below 64 of a list of numbers and ranges such as {@code 0-1,3-127}. */
    private static long bitsOf(final String ranges)
    {
        long bits = 0;
        for (final String range : ranges.isEmpty() ? List.<String>of() : List.of(ranges.split(",")))
        {
            final String[] ends = range.split("-");
            final int last = Integer.parseInt(ends[ends.length - 1]);
            for (int bit = Integer.parseInt(ends[0]); bit <= Math.min(last, Long.SIZE - 1); bit++)
            {
                bits |= 1L << bit;
            }
        }
        return bits;
    }
}
