package org.fibnuma.binding.netfilter;

import org.fibnuma.core.UserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class FlowLabelsTest
{
    /** Two bits for each bit of a code, twice for the directions, in 128. */
    @ParameterizedTest
    @CsvSource({
        "0, 32", "1, 32", "2, 16", "3, 16", "4, 10", "7, 10", "8, 8", "15, 8", "16, 6", "63, 5", "127, 4", "255, 4",
        "256, 3", "1023, 3", "1024, 2", "65535, 2"})
    void shouldHaveAsManySlotsAsFit(final int interfaces, final int slots)
    {
        assertEquals(slots, new FlowLabels(interfaces).slots());
    }

    @Test
    void shouldSetOneOfTwoLabelsForEachBit()
    {
        // Code 1 is bits 01: label 10 for the lowest bit, label 01 for the next.
        assertEquals(new FlowLabels.Labels(0b0110, 0), new FlowLabels(2).label(1, FlowLabels.ORIGINAL, 0));
        assertEquals(new FlowLabels.Labels(0b1001_0000, 0), new FlowLabels(2).label(2, FlowLabels.REPLY, 0));
        assertEquals(new FlowLabels.Labels(0b1001_0000_0000, 0), new FlowLabels(2).label(2, FlowLabels.ORIGINAL, 1));
        assertEquals(new FlowLabels.Labels(0, 0b10), new FlowLabels(1).label(1, FlowLabels.ORIGINAL, 16));
    }

    @Test
    void shouldCrossFromTheLowHalfToTheHighOne()
    {
        // 12 labels for a slot: the original direction of slot 5 is in bits 60 to 65.
        final FlowLabels labels = new FlowLabels(7);
        final FlowLabels.Labels label = labels.label(7, FlowLabels.ORIGINAL, 5);
        assertEquals(new FlowLabels.Labels(0b1010L << 60, 0b10), label);
        assertEquals(7, labels.ingress(label.low(), label.high(), FlowLabels.ORIGINAL, 5));
        assertEquals(new FlowLabels.Labels(0xFL << 60, 0xFF), labels.slotMask(5));
    }

    @Test
    void shouldNotReadACodeFromForeignLabels()
    {
        final FlowLabels labels = new FlowLabels(2);
        assertEquals(FlowLabels.NONE, labels.ingress(0, -1L, FlowLabels.ORIGINAL, 0));
        assertEquals(FlowLabels.AMBIGUOUS, labels.ingress(0b0010, 0, FlowLabels.ORIGINAL, 0), "a bit without label");
        assertEquals(FlowLabels.AMBIGUOUS, labels.ingress(0b1010, 0, FlowLabels.ORIGINAL, 0), "code 3 of 2");
        assertEquals(FlowLabels.AMBIGUOUS, labels.ingress(0b0101, 0, FlowLabels.ORIGINAL, 0), "code 0");
        assertEquals(FlowLabels.AMBIGUOUS, labels.ingress(-1L, -1L, FlowLabels.ORIGINAL, 0));
    }

    @Test
    void shouldRefuseMoreInterfacesThanFit()
    {
        final UserException ex = assertThrows(UserException.class, () -> new FlowLabels(65_536));
        assertTrue(ex.getMessage().contains("65535 interfaces, and the router has 65536"), ex.getMessage());
    }

    @Test
    void shouldRefuseWhatHasNoPlace()
    {
        final FlowLabels labels = new FlowLabels(2);
        assertThrows(IllegalArgumentException.class, () -> labels.label(0, FlowLabels.ORIGINAL, 0));
        assertThrows(IllegalArgumentException.class, () -> labels.label(3, FlowLabels.ORIGINAL, 0));
        assertThrows(IllegalArgumentException.class, () -> labels.label(1, 2, 0));
        assertThrows(IllegalArgumentException.class, () -> labels.label(1, FlowLabels.REPLY, 16));
        assertThrows(IllegalArgumentException.class, () -> labels.slotMask(-1));
    }
}
