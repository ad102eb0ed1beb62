package org.fibnuma.fibnic.control;

import org.agrona.concurrent.CachedEpochClock;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.Ipv6Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.fibnuma.fibnic.rate.IcmpSettings;
import org.fibnuma.fibnic.rib.LinkTable;
import org.fibnuma.fibnic.rib.RoutingTables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class AnswerSettingsTest
{
    private static final int PORT = 7;
    private static final int TIME_EXCEEDED = 11;
    private static final int TOO_BIG_IPV6 = 2;
    private static final int TIME_EXCEEDED_IPV6 = 3;

    @TempDir
    private Path directory;

    private final ReaderEpochs epochs = new ReaderEpochs();
    private final Ipv4Fib fib = new Ipv4Fib(epochs);
    private final Ipv6Fib ipv6Fib = new Ipv6Fib(epochs);
    private final CachedEpochClock clock = new CachedEpochClock();
    private final RoutingTables tables = new RoutingTables(
        List.of(), new LinkTable(new int[]{ PORT }),
        new RoutingTables.Shared(fib, ipv6Fib, new AdjacencyTable(), new InterfaceTable(1), epochs));
    private final IcmpSettings icmp = new IcmpSettings();
    private final List<String> log = new ArrayList<>();

    @AfterEach
    void after()
    {
        fib.close();
        ipv6Fib.close();
    }

    private void set(final String setting, final String value) throws IOException
    {
        Files.createDirectories(directory.resolve(setting).getParent());
        Files.writeString(directory.resolve(setting), value + "\n");
    }

    private AnswerSettings settings()
    {
        tables.onLink(new KernelLink(PORT, "r0", 1, 1500, true), true);
        return new AnswerSettings(directory, tables, icmp, clock, log::add);
    }

    @Test
    void shouldHaveTheKernelsDefaultsWhereASettingIsMissing()
    {
        settings().read();
        assertFalse(icmp.usesInboundAddress());
        assertEquals(64, icmp.ttl());
        assertTrue(icmp.isLimited(TIME_EXCEEDED, false));
        assertFalse(icmp.isLimited(3, true), "path MTU discovery");
        assertTrue(icmp.isIpv6Limited(TIME_EXCEEDED_IPV6, false));
        assertFalse(icmp.isIpv6Limited(TOO_BIG_IPV6, true));
        assertEquals(Map.of(), tables.links().ipv6Mtus());
        assertEquals(List.of(), log);
    }

    @Test
    void shouldFollowTheKernelWithinASecond() throws IOException
    {
        final AnswerSettings settings = settings();
        settings.poll();
        set("ipv4/icmp_errors_use_inbound_ifaddr", "1");
        set("ipv4/ip_default_ttl", "128");
        set("ipv4/icmp_ratemask", "8");
        set("ipv6/icmp/ratemask", "0-1,4-127");
        set("ipv6/conf/r0/mtu", "1300");
        clock.advance(PolledSettings.INTERVAL_MS - 1);
        settings.poll();
        assertEquals(64, icmp.ttl());
        clock.advance(1);
        settings.poll();
        assertTrue(icmp.usesInboundAddress());
        assertEquals(128, icmp.ttl());
        assertTrue(icmp.isLimited(3, false));
        assertFalse(icmp.isLimited(TIME_EXCEEDED, false));
        assertTrue(icmp.isIpv6Limited(1, false));
        assertFalse(icmp.isIpv6Limited(TIME_EXCEEDED_IPV6, false));
        assertEquals(Map.of(PORT, 1300), tables.links().ipv6Mtus());

        set("ipv6/conf/r0/mtu", "1500");
        set("ipv6/icmp/ratemask", "");
        settings.read();
        assertEquals(Map.of(), tables.links().ipv6Mtus());
        assertFalse(icmp.isIpv6Limited(1, false));
    }

    /** A file of the kernel has no length, and its text must be read at once. */
    @Test
    void shouldReadTheWholeTextOfTheKernelsSettings()
    {
        final AnswerSettings settings = new AnswerSettings(AnswerSettings.KERNEL, tables, icmp, clock, log::add);
        Assumptions.assumeTrue(Files.exists(AnswerSettings.KERNEL.resolve("ipv4/ip_default_ttl")), "no such file");
        final String range = settings.textOf("ipv4", "ip_local_port_range", "");
        assertTrue(range.matches("[0-9]+\\s+[0-9]+"), range);
    }

    @Test
    void shouldNameOnceWhatIsNotFollowed() throws IOException
    {
        final AnswerSettings settings = settings();
        set("ipv4/ip_forward_use_pmtu", "1");
        set("ipv4/conf/r0/route_localnet", "1");
        set("ipv4/conf/r0/bc_forwarding", "0");
        settings.read();
        settings.read();
        assertEquals(List.of(
            "net.ipv4.ip_forward_use_pmtu=1 is not followed: the router uses the MTU of routes and links only",
            "net.ipv4.conf.r0.route_localnet=1 is not followed: the router drops packets to and from 127/8"),
            log);
        set("ipv4/conf/r0/route_localnet", "0");
        settings.read();
        set("ipv4/conf/r0/route_localnet", "1");
        settings.read();
        assertEquals(3, log.size());
    }
}
