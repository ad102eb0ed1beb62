package org.fibnuma.bench.differential;

import org.fibnuma.core.Require;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class OnPurposeTest
{
    private static final String MACS = "020000000001" + "020000000002";
    private static final String REST = "0400003500080000".repeat(4);

    @Test
    void shouldStandInTheGuide() throws IOException
    {
        final List<String> lines = Files.readAllLines(Require.projectDirectory().resolve("docs/measuring.md"));
        final int header = lines.indexOf("| what differs on purpose | why |");
        assertEquals(
            Arrays.stream(OnPurpose.values()).map(each -> "| " + each.what() + " | " + each.reason() + " |").toList(),
            lines.stream().skip(header + 2).takeWhile(line -> line.startsWith("|")).toList());
    }

    @Test
    void shouldNotExcusePacketsOfOrdinaryRoutes()
    {
        final Packet packet = ipv4("45", "ac100001", "c6120001");
        assertNull(OnPurpose.of(List.of("ip route add 198.18.0.0/24 via 10.0.1.2"), packet));
        assertNull(OnPurpose.of(
            List.of("ip route add 198.18.1.0/24 nexthop via 10.0.1.2 nexthop via 10.0.2.2"), packet));
        assertEquals(OnPurpose.MULTIPATH,
            OnPurpose.of(List.of("ip route add 198.18.0.0/24 nexthop via 10.0.1.2 nexthop via 10.0.2.2"), packet));
        final Packet longer = ipv4("45", "ac100001", "c6120001" + "00".repeat(HostGenerator.LEAST_LINK_MTU));
        assertEquals(OnPurpose.MULTIPATH_FATE,
            OnPurpose.of(List.of("ip route add 198.18.0.0/24 nexthop via 10.0.1.2 nexthop via 10.0.2.2"), longer));
        assertEquals(OnPurpose.MULTIPATH_FATE, OnPurpose.of(List.of("tc qdisc replace dev r2 root blackhole",
            "ip route add 198.18.0.0/24 nexthop via 10.0.1.2 nexthop via 10.0.2.2"), packet));
        assertEquals(OnPurpose.MULTIPATH,
            OnPurpose.of(List.of("ip route add 172.16.0.0/16 nexthop via 10.0.1.2 nexthop via 10.0.2.2"), packet));
    }

    @Test
    void shouldExcuseByTheHeader()
    {
        assertEquals(OnPurpose.OWN_SOURCE, OnPurpose.of(List.of(), ipv4("45", "0a000001", "c6120001")));
        assertEquals(OnPurpose.BROADCAST_SOURCE, OnPurpose.of(List.of(), ipv4("45", "0a0001ff", "c6120001")));
        assertEquals(OnPurpose.OPTIONS, OnPurpose.of(List.of(), ipv4("46", "ac100001", "c612000107040400")));
        assertEquals(OnPurpose.CIPSO, OnPurpose.of(List.of(), ipv4("46", "ac100001", "c612000186040102")));
        assertEquals(
            OnPurpose.SOURCE_ROUTE, OnPurpose.of(List.of(), ipv4("47", "ac100001", "c612000101830704c6120001")));
        final Packet first = ipv6("11", "20010db8" + "00".repeat(12));
        assertEquals(OnPurpose.FIRST_SOURCE, OnPurpose.of(List.of("ip -6 route add 2001:db8::/56 dev r0"), first));
        assertEquals(
            OnPurpose.FIRST_SOURCE, OnPurpose.of(List.of("ip -6 route add 2001:db8::/56 table 100 dev r0"), first));
        assertNull(OnPurpose.of(List.of("ip -6 route add 2001:db8::/56 via fd00::2 dev r0"), first));
        final byte[] cut = Arrays.copyOf(ipv6("2c", "fd10" + "00".repeat(13) + "07").frame(), 54);
        assertNull(OnPurpose.of(List.of(), new Packet(0, cut)), "without the header of the fragment");
        assertEquals(OnPurpose.HOP_BY_HOP, OnPurpose.of(List.of(), ipv6("00", "fd10" + "00".repeat(13) + "07")));
        assertEquals(OnPurpose.SCOPED_SOURCE, OnPurpose.of(List.of(), ipv6("11", "fe80" + "00".repeat(13) + "07")));
        assertNull(OnPurpose.of(List.of(), ipv6("11", "fd10" + "00".repeat(13) + "07")));
    }

    @Test
    void shouldExcuseAnswersOfAHostThatAvoidsARoute()
    {
        final Packet packet = ipv6("11", "fd10" + "00".repeat(13) + "07");
        final String off = "echo 0 >/proc/sys/net/ipv6/conf/all/forwarding";
        final String route = "ip -6 route add 2001:db8::2e/128 via fd00:2::7";
        assertEquals(OnPurpose.HOST, OnPurpose.of(List.of(route, off), packet));
        final String twoHops =
            "ip -6 route add 2001:db8::/64 nexthop via fd00:2::e0 dev r2 weight 1 nexthop via fd00:1::4 dev r1";
        assertEquals(OnPurpose.HOST, OnPurpose.of(List.of(twoHops, off), packet));
        assertNull(OnPurpose.of(List.of("ip -6 route add 2001:db8::/64 via fd00:2::5 dev r2 metric 20", off), packet));
        assertNull(OnPurpose.of(List.of("ip -6 route add 2001:db8::/64 via fe80::2", off), packet));
        assertNull(OnPurpose.of(List.of(off), packet));
        assertNull(OnPurpose.of(List.of(route, off, off.replace('0', '1')), packet));
        final Set<String> receiver = Set.of("20010db8" + "00".repeat(12));
        final Outcome silence = new Outcome(receiver);
        final Outcome answer = new Outcome(receiver);
        answer.add(0, packet.frame());
        assertTrue(new Comparison(silence, answer, OnPurpose.HOST).isEqual());
        assertFalse(new Comparison(silence, answer, null).isEqual());
        final Outcome forwarded = new Outcome(Set.of("fd10" + "00".repeat(13) + "07"));
        forwarded.add(1, packet.frame());
        assertFalse(new Comparison(silence, forwarded, OnPurpose.HOST).isEqual());
    }

    private static Packet ipv4(final String versionAndLength, final String source, final String destination)
    {
        return new Packet(0, HexFormat.of().parseHex(
            MACS + "0800" + versionAndLength + "000040000100004011" + "0000" + source + destination + REST));
    }

    private static Packet ipv6(final String nextHeader, final String source)
    {
        return new Packet(0, HexFormat.of().parseHex(
            MACS + "86dd" + "600000000020" + nextHeader + "40" + source + "20010db8" + "00".repeat(12) + REST));
    }
}
