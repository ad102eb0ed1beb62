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
        final Outcome outcome = new Outcome(SENT);
        for (final String packet : packets)
        {
            outcome.add(1, HexFormat.of().parseHex(ETHERNET + packet));
        }
        return outcome;
    }
}
