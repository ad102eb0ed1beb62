package org.fibnuma.pfc.priority;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.HexFormat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Priorities of frames written as hex. */
class PriorityClassifierTest
{
    private static final String MACS = "020000000001020000000002";

    private final MemoryRegion region = MemoryRegion.ofBytes(64);

    @AfterEach
    void release()
    {
        region.close();
    }

    @Test
    void shouldReadPcp()
    {
        final PriorityClassifier classifier = PriorityClassifier.byPcp();
        assertEquals(5, of(classifier, MACS + "8100" + "a00a" + "0800" + "45b8"));
        assertEquals(0, of(classifier, MACS + "0800" + "45b80000"));
    }

    @Test
    void shouldReadDscp()
    {
        final PriorityClassifier classifier = PriorityClassifier.byDscp(PriorityClassifier.classSelectors());
        assertEquals(5, of(classifier, MACS + "0800" + "45b80000"), "EF, 46");
        assertEquals(3, of(classifier, MACS + "0800" + "456a0000"), "26, with ECT(0)");
        assertEquals(5, of(classifier, MACS + "86dd" + "6b800000"), "EF in IPv6");
        assertEquals(5, of(classifier, MACS + "8100" + "000a" + "0800" + "45b8"), "behind a tag");
        assertEquals(0, of(classifier, MACS + "0806" + "45b80000"), "ARP");
    }

    @Test
    void shouldReadDscpByItsMap()
    {
        final byte[] map = new byte[64];
        map[46] = 7;
        assertEquals(7, of(PriorityClassifier.byDscp(map), MACS + "0800" + "45b90000"));
        assertEquals(0, of(PriorityClassifier.byDscp(map), MACS + "0800" + "45600000"));
        map[1] = 8;
        assertThrows(IllegalArgumentException.class, () -> PriorityClassifier.byDscp(map));
        assertThrows(IllegalArgumentException.class, () -> PriorityClassifier.byDscp(new byte[63]));
    }

    @Test
    void shouldNotReadBehindTheEnd()
    {
        final PriorityClassifier classifier = PriorityClassifier.byDscp(PriorityClassifier.classSelectors());
        assertEquals(0, of(classifier, MACS));
        assertEquals(0, of(classifier, MACS + "0800"));
        assertEquals(0, of(classifier, MACS + "8100" + "000a" + "0800"));
    }

    private int of(final PriorityClassifier classifier, final String hex)
    {
        FrameMemory.zero(region.address(), 64);
        FrameMemory.putBytes(region.address(), HexFormat.of().parseHex(hex));
        return classifier.priority(region.address(), hex.length() / 2);
    }
}
