package org.fibnuma.bench.forward;

import org.fibnuma.bench.lab.Families;

import org.junit.jupiter.api.Test;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ForwardResultTest
{
    private final ForwardResult result = new ForwardResult(66);

    @Test
    void shouldTellTheRatioToEachPeer()
    {
        add(Families.IPV4, "fibnuma", 60, 30, 45);
        add(Families.IPV4, "testpmd mac", 80, 90, 100);
        add(Families.IPV4, "testpmd io", 110, 120, 150);
        add(Families.IPV4, "l3fwd", 50, 70, 30);

        final Map<String, Object> json = result.toMap();
        assertEquals(45.0, json.get("mpps"));
        assertEquals(90.0, json.get("peerMpps"));
        // Of 60 / 80, 30 / 90 and 45 / 100.
        assertEquals(0.45, json.get("ratio"));
        assertEquals(120.0, json.get("ceilingMpps"));
        assertEquals(45.0, json.get("fibnumaMpps"));
        assertEquals(90.0, json.get("testpmdMacMpps"));
        assertEquals(120.0, json.get("testpmdIoMpps"));
        assertEquals(50.0, json.get("l3fwdMpps"));
        assertEquals(0.45, json.get("ratioToTestpmdMac"));
        assertEquals(0.3, json.get("ratioToTestpmdIo"));
        // Of 60 / 50, 30 / 70 and 45 / 30.
        assertEquals(1.2, json.get("ratioToL3fwd"));
        assertTrue(printed().contains("the router is 1.20 times l3fwd"), this::printed);
    }

    @Test
    void shouldNotSpeakOfL3fwdWhereItWasNotAskedFor()
    {
        add(Families.IPV4, "fibnuma", 45);
        add(Families.IPV4, "testpmd mac", 90);

        assertFalse(result.toMap().containsKey("l3fwdMpps"));
        assertFalse(result.toMap().containsKey("ratioToL3fwd"));
        assertFalse(printed().contains("l3fwd"), this::printed);
    }

    @Test
    void shouldHaveTheSameNamesForIpv6AndAlternatingFrames()
    {
        for (final Families kind : Families.values())
        {
            add(kind, "fibnuma", 40 - 10 * kind.ordinal());
            add(kind, "testpmd mac", 80);
            add(kind, "l3fwd", 50 - 10 * kind.ordinal());
        }
        result.cycles(Families.IPV6, Map.of("router", 30.04));

        final Map<?, ?> ipv6 = assertInstanceOf(Map.class, result.toMap().get("ipv6"));
        assertEquals(30.0, ipv6.get("fibnumaMpps"));
        assertEquals(80.0, ipv6.get("testpmdMacMpps"));
        assertEquals(40.0, ipv6.get("l3fwdMpps"));
        assertEquals(0.375, ipv6.get("ratioToTestpmdMac"));
        assertEquals(0.75, ipv6.get("ratioToL3fwd"));
        assertEquals(Map.of("router", 30.0), ipv6.get("cyclesPerPacket"));
        final Map<?, ?> mixed = assertInstanceOf(Map.class, result.toMap().get("mixed"));
        assertEquals(20.0, mixed.get("fibnumaMpps"));
        assertEquals(0.667, mixed.get("ratioToL3fwd"));
        // The mean of 40 and 30 is 35.
        assertEquals(0.571, mixed.get("ratioToMean"));
        assertEquals(0.8, result.toMap().get("ratioToL3fwd"));
        assertTrue(printed().contains("(66-byte frames)"), this::printed);
        assertTrue(printed().contains("alternating frames is 0.57 times the mean"), this::printed);
    }

    @Test
    void shouldLeaveOutWhatWasNotMeasured()
    {
        add(Families.IPV6, "fibnuma", 40);

        assertFalse(result.toMap().containsKey("mixed"));
        assertFalse(result.toMap().containsKey("fibnumaMpps"));
        assertFalse(printed().contains("IPv4"), this::printed);
    }

    private void add(final Families kind, final String contestant, final double... rounds)
    {
        for (final double mpps : rounds)
        {
            result.add(kind, contestant, mpps);
        }
    }

    private String printed()
    {
        final StringWriter text = new StringWriter();
        result.print(new PrintWriter(text, true));
        return text.toString();
    }
}
