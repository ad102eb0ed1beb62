package org.fibnuma.bench.forward;

import org.junit.jupiter.api.Test;

import java.io.PrintWriter;
import java.io.StringWriter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ForwardResultTest
{
    private final ForwardResult result = new ForwardResult();

    @Test
    void shouldTellTheRatioToEachPeer()
    {
        add("fibnuma", 60, 30, 45);
        add("testpmd mac", 80, 90, 100);
        add("l3fwd", 50, 70, 30);

        assertEquals(45.0, result.toMap().get("mpps"));
        assertEquals(90.0, result.toMap().get("peerMpps"));
        assertEquals(0.5, result.toMap().get("ratio"));
        assertEquals(50.0, result.toMap().get("l3fwdMpps"));
        assertEquals(0.9, result.toMap().get("l3fwdRatio"));
        assertTrue(printed().contains("the router is 0.90 times l3fwd"), this::printed);
    }

    @Test
    void shouldNotSpeakOfL3fwdWhereItWasNotAskedFor()
    {
        add("fibnuma", 45);
        add("testpmd mac", 90);

        assertFalse(result.toMap().containsKey("l3fwdMpps"));
        assertFalse(result.toMap().containsKey("l3fwdRatio"));
        assertFalse(printed().contains("l3fwd"), this::printed);
    }

    private void add(final String contender, final double... rounds)
    {
        for (final double mpps : rounds)
        {
            result.add(contender, mpps);
        }
    }

    private String printed()
    {
        final StringWriter text = new StringWriter();
        result.print(new PrintWriter(text, true));
        return text.toString();
    }
}
