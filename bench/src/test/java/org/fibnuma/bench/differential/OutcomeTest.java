package org.fibnuma.bench.differential;

import org.junit.jupiter.api.Test;

import java.util.HexFormat;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class OutcomeTest
{
    private static final String ETHERNET = "020000000103" + "020000000101" + "0800";
    private static final Set<String> SENT = Set.of("0a000002");
    private static final String FIRST6 = "fd0000" + "00".repeat(12) + "01";
    private static final String SECOND6 = "fd0000" + "00".repeat(12) + "02";

    @Test
    void shouldCompareEveryByteOfForwardedPackets()
    {
        final String packet = "4500001c000100003f11abbb" + "0a000002" + "c6120001" + "0400003500080000";
        assertTrue(outcome(packet).isEqualTo(outcome(packet)));
        assertFalse(outcome(packet).isEqualTo(outcome(packet.replace("3f11", "4011"))), "TTL");
        assertFalse(outcome(packet).isEqualTo(outcome(packet.replace("abbb", "aabb"))), "checksum");
        assertFalse(outcome(packet).isEqualTo(outcome(packet.replace("00350008", "00360008"))), "payload");
        assertFalse(outcome(packet).isEqualTo(outcome(packet + "00")), "length");
        assertFalse(outcome(packet).isEqualTo(outcome()), "number");
    }

    @Test
    void shouldLeaveOutTheIdentificationOfWhatTheMachineWrites()
    {
        final String error = "45c00038" + "0000" + "000040016603" + "0a000001" + "0a000002" + "0b00f4ff00000000";
        final String other = "45c00038" + "1234" + "0000400153cf" + "0a000001" + "0a000002" + "0b00f4ff00000000";
        assertTrue(outcome(error).isEqualTo(outcome(other)));
        assertFalse(outcome(error).isEqualTo(outcome(other.replace("53cf", "53d0"))), "wrong checksum");
        assertFalse(outcome(error).isEqualTo(outcome(other.replace("0b00f4ff", "0b01f4fe"))), "code");
    }

    @Test
    void shouldCompareTheIdentificationOfTranslatedPacketsButErrors()
    {
        final Set<String> sources = Set.of("0a000001", "0a000002", "c6120001");
        final String packet = "4500001c000100003f1171ba" + "0a000001" + "c6120001" + "0400003500080000";
        assertFalse(add(Outcome.tracked(sources), packet)
            .isEqualTo(add(Outcome.tracked(sources), packet.replace("0001000", "0002000").replace("71ba", "71b9"))));
        final String error = "45c00038" + "0000" + "000040016603" + "0a000001" + "0a000002" + "0b00f4ff00000000";
        final String other = "45c00038" + "1234" + "0000400153cf" + "0a000001" + "0a000002" + "0b00f4ff00000000";
        assertTrue(add(Outcome.tracked(sources), error).isEqualTo(add(Outcome.tracked(sources), other)));
    }

    /** The first fragment of 1300 bytes with 63 hops, or the packet of 1500 with 64. */
    @Test
    void shouldLeaveOutHowAnErrorOfANeighborQuotes()
    {
        final String ports = "0400003500080000";
        final String packet = error("0301", "450005dc00010000" + "4011aabb" + "0a000002" + "c6120001" + ports + "0102");
        final String fragment = error("0301", "4500051400012000" + "3f11abbb" + "0a000002" + "c6120001" + ports);
        final String other = error("0301", "4500051400012000" + "3f11abbb" + "0a000002" + "c6120002" + ports);
        assertTrue(outcome(packet).isEqualTo(outcome(fragment)));
        assertFalse(outcome(packet).isEqualTo(outcome(other)), "destination");
        assertFalse(outcome(fragment).isEqualTo(outcome(fragment.replace("0035", "0036"))), "wrong checksum");
        assertFalse(
            outcome(packet.replace("0301", "0300")).isEqualTo(outcome(fragment.replace("0301", "0300"))), "code");
    }

    private static String error(final String type, final String quoted)
    {
        final String header = String.format("45c0%04x", 28 + quoted.length() / 2) + "0000" + "00004001" + "CCCC" +
            "0a000001" + "0a000002";
        final byte[] icmp = HexFormat.of().parseHex(type + "0000" + "00000000" + quoted);
        final byte[] ip = HexFormat.of().parseHex(header.replace("CCCC", "0000"));
        return header.replace("CCCC", String.format("%04x", Bytes.checksum(Bytes.sum(ip, 0, 20)))) + type +
            String.format("%04x", Bytes.checksum(Bytes.sum(icmp, 0, icmp.length))) + "00000000" + quoted;
    }

    @Test
    void shouldLeaveOutTheLifetimeThatAnIcmpv6ErrorOfANeighborQuotes()
    {
        final String error6 = "6000000000383aff" + FIRST6 + SECOND6 + "0103" + "CCCC" + "00000000" +
            "60000000000811" + "40" + SECOND6 + FIRST6 + "0400003500080000";
        final String later6 = error6.replace("081140", "08113f");
        assertTrue(outcome6(withChecksum(error6)).isEqualTo(outcome6(withChecksum(later6))));
        assertFalse(outcome6(withChecksum(error6)).isEqualTo(outcome6(later6.replace("CCCC", "0000"))), "checksum");
    }

    private static String withChecksum(final String packet)
    {
        final byte[] bytes = HexFormat.of().parseHex(packet.replace("CCCC", "0000"));
        final int length = bytes.length - 40;
        final int checksum = Bytes.checksum(Bytes.sum(bytes, 8, 32) + length + 58 + Bytes.sum(bytes, 40, length));
        return packet.replace("CCCC", String.format("%04x", checksum));
    }

    private static Outcome outcome6(final String packet)
    {
        final Outcome outcome = new Outcome(Set.of(SECOND6));
        outcome.add(1, HexFormat.of().parseHex(ETHERNET.replace("0800", "86dd") + packet));
        return outcome;
    }

    @Test
    void shouldLeaveOutRedirectsAndCountThem()
    {
        final Outcome outcome = outcome("45c000380000000040010000" + "0a000001" + "0a000002" + "0501000000000000");
        assertEquals(1, outcome.redirects());
        assertTrue(outcome.frames().isEmpty());
    }

    @Test
    void shouldCompareBehindTheNextHop()
    {
        final byte[] one = HexFormat.of().parseHex(ETHERNET + "4500001c000100003f11abbb0a000002c6120001");
        final byte[] other = one.clone();
        other[5] = 9;
        final Outcome first = new Outcome(SENT);
        final Outcome second = new Outcome(SENT);
        first.add(1, one);
        second.add(2, other);
        assertFalse(first.isEqualTo(second));
        assertTrue(first.isEqualBehindNextHop(second));
    }

    /** The next hop also determines the address that a machine records, and the source of its errors. */
    @Test
    void shouldCompareOptionsAndErrorsBehindTheNextHop()
    {
        final String recorded = "47000024000100003f110000" + "0a000002" + "c6120001" + "0707080a000201" + "00" +
            "0102030405060708";
        final String error = "45c00020" + "0000" + "000040010000" + "0a000001" + "0a000002" + "0300000000000000";
        assertTrue(outcome(recorded).isEqualBehindNextHop(outcome(recorded.replace("0a000201", "0a000301"))));
        assertFalse(outcome(recorded).isEqualBehindNextHop(outcome(recorded.replace("05060708", "05060709"))), "data");
        assertTrue(outcome(error).isEqualBehindNextHop(outcome(error.replace("0a000001", "0a000101"))));
        assertFalse(outcome(error).isEqualBehindNextHop(outcome(error.replace("0300", "0301"))), "code");
    }

    private static Outcome outcome(final String... packets)
    {
        return add(new Outcome(SENT), packets);
    }

    private static Outcome add(final Outcome outcome, final String... packets)
    {
        for (final String packet : packets)
        {
            outcome.add(1, HexFormat.of().parseHex(ETHERNET + packet));
        }
        return outcome;
    }
}
