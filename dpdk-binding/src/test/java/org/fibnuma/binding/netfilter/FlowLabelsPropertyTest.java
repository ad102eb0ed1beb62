package org.fibnuma.binding.netfilter;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Labels of a reference that counts single bits. */
class FlowLabelsPropertyTest
{
    @Property
    void shouldReadWhatItSetInItsPlaceOnly(
        @ForAll @IntRange(min = 1, max = FlowLabels.MAX_INTERFACES) final int interfaces,
        @ForAll @LongRange(min = 0) final long seed)
    {
        final FlowLabels labels = new FlowLabels(interfaces);
        final int ingress = (int)(seed % interfaces);
        final int egress = (int)(seed / interfaces % interfaces);
        for (int slot = 0; slot < labels.slots(); slot++)
        {
            for (int direction = 0; direction < 2; direction++)
            {
                final FlowLabels.Labels label = labels.label(ingress, egress, direction, slot);
                final int path = labels.path(label.low(), label.high(), direction, slot);
                assertEquals(ingress, labels.ingress(path));
                assertEquals(egress, labels.egress(path));
                assertEquals(egress, labels.ingress(labels.reverse(path)));
                assertEquals(ingress, labels.egress(labels.reverse(path)));
                assertEquals(FlowLabels.NONE, labels.path(label.low(), label.high(), 1 - direction, slot));
                final FlowLabels.Labels mask = labels.slotMask(slot);
                assertEquals(label, new FlowLabels.Labels(label.low() & mask.low(), label.high() & mask.high()));
                for (int other = 0; other < labels.slots(); other++)
                {
                    if (other != slot)
                    {
                        assertEquals(FlowLabels.NONE,
                            labels.path(label.low(), label.high(), direction, other));
                    }
                }
            }
        }
    }

    @Property
    void shouldRecognizeTwoInterfaces(
        @ForAll @IntRange(min = 2, max = FlowLabels.MAX_INTERFACES) final int interfaces,
        @ForAll @LongRange(min = 0) final long seed,
        @ForAll @IntRange(min = 0, max = 1) final int direction)
    {
        final FlowLabels labels = new FlowLabels(interfaces);
        final int first = (int)(seed % interfaces);
        final int second = (int)(seed / interfaces % interfaces);
        final FlowLabels.Labels one = labels.label(first, 0, direction, 1);
        final FlowLabels.Labels both = one.or(labels.label(second, 0, direction, 1));
        final int path = labels.path(one.low(), one.high(), direction, 1);
        assertEquals(first == second ? path : FlowLabels.AMBIGUOUS,
            labels.path(both.low(), both.high(), direction, 1));
        final FlowLabels.Labels opposite = one.or(labels.label(0, second, 1 - direction, 1));
        assertEquals(path, labels.path(opposite.low(), opposite.high(), direction, 1));
        assertEquals(second, labels.egress(labels.path(opposite.low(), opposite.high(), 1 - direction, 1)));
    }

    @Property
    void shouldDivideTheLabelsAmongTheSlots(
        @ForAll @IntRange(min = 0, max = FlowLabels.MAX_INTERFACES) final int interfaces)
    {
        final FlowLabels labels = new FlowLabels(interfaces);
        FlowLabels.Labels all = new FlowLabels.Labels(0, 0);
        int bits = 0;
        for (int slot = 0; slot < labels.slots(); slot++)
        {
            final FlowLabels.Labels mask = labels.slotMask(slot);
            all = all.or(mask);
            bits += Long.bitCount(mask.low()) + Long.bitCount(mask.high());
        }
        assertEquals(bits, Long.bitCount(all.low()) + Long.bitCount(all.high()), "no label in two slots");
        assertEquals(128 / (bits / labels.slots()), labels.slots());
    }
}
