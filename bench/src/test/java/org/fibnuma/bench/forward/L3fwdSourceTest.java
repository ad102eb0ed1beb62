package org.fibnuma.bench.forward;

import org.fibnuma.bench.fib.DualStackTable;
import org.fibnuma.bench.forward.L3fwdSource.Change;
import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.Ipv6Prefix;
import org.fibnuma.fibnic.routes.Ipv6RouteList;
import org.fibnuma.fibnic.routes.RouteList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class L3fwdSourceTest
{
    private static final String LPM = String.join("\n",
        "int before;",
        "#define IPV4_L3FWD_LPM_MAX_RULES  \t 10",
        "#define IPV4_L3FWD_LPM_NUMBER_TBL8S (1 << 3)",
        "#define IPV6_L3FWD_LPM_MAX_RULES 20",
        "#define IPV6_L3FWD_LPM_NUMBER_TBL8S (1 << 4)",
        "int rules = IPV4_L3FWD_LPM_MAX_RULES;");
    private static final String MAIN = String.join("\n",
        "a = { .offloads = RTE_ETH_RX_OFFLOAD_CHECKSUM, };",
        "#define N MAX(x, \\",
        "\t(unsigned)8192)",
        "");

    @TempDir
    private Path from;
    @TempDir
    private Path to;

    @BeforeEach
    void write() throws IOException
    {
        Files.writeString(from.resolve("l3fwd_lpm.c"), LPM);
        Files.writeString(from.resolve("main.c"), MAIN);
        Files.writeString(from.resolve("l3fwd.h"), "#define IPV4_L3FWD_LPM_MAX_RULES 10\n");
        Files.writeString(from.resolve("Makefile"), "all:");
    }

    @Test
    void shouldChangeOnlyTheConstants() throws IOException
    {
        new L3fwdSource(from).copy(to, L3fwdSource.changes(rules(routes(3)), 4096));

        assertEquals(String.join("\n",
            "int before;",
            "#define IPV4_L3FWD_LPM_MAX_RULES  \t 3",
            "#define IPV4_L3FWD_LPM_NUMBER_TBL8S 256",
            "#define IPV6_L3FWD_LPM_MAX_RULES 1",
            "#define IPV6_L3FWD_LPM_NUMBER_TBL8S 256",
            "int rules = IPV4_L3FWD_LPM_MAX_RULES;"), Files.readString(to.resolve("l3fwd_lpm.c")));
        assertEquals(String.join("\n",
            "a = { .offloads = 0, };",
            "#define N MAX(x, \\",
            "\t(unsigned)12288)",
            ""), Files.readString(to.resolve("main.c")));
    }

    @Test
    void shouldCopyTheRestOfTheSourceAsItIs() throws IOException
    {
        new L3fwdSource(from).copy(to, L3fwdSource.changes(rules(routes(3)), 4096));

        assertEquals("#define IPV4_L3FWD_LPM_MAX_RULES 10\n", Files.readString(to.resolve("l3fwd.h")));
        assertFalse(Files.exists(to.resolve("Makefile")));
        assertEquals(LPM, Files.readString(from.resolve("l3fwd_lpm.c")));
    }

    @Test
    void shouldHaveRoomForEveryGroupOfLongRoutes()
    {
        final List<Change> changes = L3fwdSource.changes(rules(hostRoutes(300)), 4096);

        assertEquals(List.of("300", "300"), changes.stream().limit(2).map(Change::value).toList());
    }

    @Test
    void shouldHaveRoomForEveryIpv6RouteAndItsGroups()
    {
        final Ipv6RouteList ipv6 = new Ipv6RouteList();
        for (int i = 0; i < 300; i++)
        {
            ipv6.addAnnouncement(new Ipv6Prefix(0x2400L << 48 | (long)i << 32, 0, 40), Ipv6Address.parse("2001:2::1"));
        }
        final List<Change> changes =
            L3fwdSource.changes(new L3fwdRules(new DualStackTable(routes(3), ipv6)), 4096);

        // A group of the /32 of each route, and those of 2400::/24 and 2400:100::/24.
        assertEquals(List.of("300", "302"), changes.stream().skip(2).limit(2).map(Change::value).toList());
    }

    @Test
    void shouldRefuseASourceWithoutTheConstant()
    {
        final UserException refusal = assertThrows(UserException.class,
            () -> Change.define("l3fwd_lpm.c", "ROUNDS", 7).apply(LPM));

        assertTrue(refusal.getMessage().contains("l3fwd_lpm.c has 0 matches of "), refusal::getMessage);
        assertTrue(refusal.getMessage().contains("ROUNDS"), refusal::getMessage);
        assertTrue(refusal.getMessage().contains("dpdk-doc"), refusal::getMessage);
        assertEquals(1, refusal.getMessage().lines().count());
    }

    @Test
    void shouldRefuseASourceWithTwoSuchConstants() throws IOException
    {
        Files.writeString(from.resolve("main.c"), MAIN + MAIN);

        final UserException refusal = assertThrows(UserException.class,
            () -> new L3fwdSource(from).copy(to, L3fwdSource.changes(rules(routes(3)), 4096)));

        assertTrue(refusal.getMessage().contains("main.c has 2 matches of "), refusal::getMessage);
    }

    private static L3fwdRules rules(final RouteList routes)
    {
        return new L3fwdRules(DualStackTable.ofIpv4(routes));
    }

    private static RouteList routes(final int count)
    {
        final RouteList routes = new RouteList();
        for (int i = 0; i < count; i++)
        {
            routes.addAnnouncement(Ipv4Address.parse("192.0.2.0") + (i << 8), 24, Ipv4Address.parse("198.18.0.1"));
        }
        return routes;
    }

    private static RouteList hostRoutes(final int count)
    {
        final RouteList routes = new RouteList();
        for (int i = 0; i < count; i++)
        {
            routes.addAnnouncement(Ipv4Address.parse("20.0.0.1") + (i << 8), 32, Ipv4Address.parse("198.18.0.1"));
        }
        return routes;
    }
}
