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
    /** Two labels for each bit of the square of the number of interfaces, twice for the directions, of 128. */
    @ParameterizedTest
    @CsvSource({"0, 32", "1, 32", "2, 10", "3, 8", "4, 6", "5, 6", "6, 5", "11, 4", "15, 4", "16, 3", "63, 2", "64, 2"})
    void shouldHaveAsManySlotsAsFit(final int interfaces, final int slots)
    {
        assertEquals(slots, new FlowLabels(interfaces).slots());
    }

    @Test
    void shouldSetOneOfTwoLabelsForEachBit()
    {
        // From 0 to 1 is code 2, bits 010: label 01 for the lowest bit, 10 for the next, 01 for the highest.
        final FlowLabels labels = new FlowLabels(2);
        assertEquals(new FlowLabels.Labels(0b01_10_01, 0), labels.label(0, 1, FlowLabels.ORIGINAL, 0));
        assertEquals(new FlowLabels.Labels(0b01_10_10 << 6, 0), labels.label(1, 0, FlowLabels.REPLY, 0));
        assertEquals(new FlowLabels.Labels(0b10_01_01 << 12, 0), labels.label(1, 1, FlowLabels.ORIGINAL, 1));
        assertEquals(new FlowLabels.Labels(0, 0b10), new FlowLabels(1).label(0, 0, FlowLabels.ORIGINAL, 16));
    }

    @Test
    void shouldCrossFromTheLowHalfToTheHighOne()
    {
        // 12 labels for a slot: the original direction of slot 5 is in bits 60 to 65.
        final FlowLabels labels = new FlowLabels(2);
        final FlowLabels.Labels label = labels.label(1, 0, FlowLabels.ORIGINAL, 5);
        assertEquals(new FlowLabels.Labels(0b1010L << 60, 0b01), label);
        final int path = labels.path(label.low(), label.high(), FlowLabels.ORIGINAL, 5);
        assertEquals(3, path);
        assertEquals(1, labels.ingress(path));
        assertEquals(0, labels.egress(path));
        assertEquals(new FlowLabels.Labels(0xFL << 60, 0xFF), labels.slotMask(5));
    }

    @Test
    void shouldNotReadACodeFromForeignLabels()
    {
        final FlowLabels labels = new FlowLabels(2);
        assertEquals(FlowLabels.NONE, labels.path(0, -1L, FlowLabels.ORIGINAL, 0));
        assertEquals(FlowLabels.AMBIGUOUS, labels.path(0b00_10_01, 0, FlowLabels.ORIGINAL, 0), "a bit without label");
        assertEquals(FlowLabels.AMBIGUOUS, labels.path(0b10_01_10, 0, FlowLabels.ORIGINAL, 0), "code 5 of 4");
        assertEquals(FlowLabels.AMBIGUOUS, labels.path(0b01_01_01, 0, FlowLabels.ORIGINAL, 0), "code 0");
        assertEquals(FlowLabels.AMBIGUOUS, labels.path(-1L, -1L, FlowLabels.ORIGINAL, 0));
    }

    @Test
    void shouldRefuseMoreInterfacesThanFit()
    {
        final UserException ex = assertThrows(UserException.class, () -> new FlowLabels(65));
        assertTrue(ex.getMessage().contains("64 interfaces, and the router has 65"), ex.getMessage());
    }

    @Test
    void shouldRefuseWhatHasNoPlace()
    {
        final FlowLabels labels = new FlowLabels(2);
        assertThrows(IndexOutOfBoundsException.class, () -> labels.label(-1, 0, FlowLabels.ORIGINAL, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> labels.label(2, 0, FlowLabels.ORIGINAL, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> labels.label(0, 2, FlowLabels.ORIGINAL, 0));
        assertThrows(IllegalArgumentException.class, () -> labels.label(1, 1, 2, 0));
        assertThrows(IllegalArgumentException.class, () -> labels.label(1, 1, FlowLabels.REPLY, 10));
        assertThrows(IllegalArgumentException.class, () -> labels.slotMask(-1));
    }
}
