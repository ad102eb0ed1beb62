package org.fibnuma.binding.dpdk.eal;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What cannot be provoked on every machine: texts as DPDK 22.11 writes them. */
class EalProblemTest
{
    @Test
    void shouldSayWhatHelpsWhereCardsCannotAddressMemory()
    {
        final String line = EalProblem.explain(
            "EAL: Cannot use IOVA as 'PA' since physical addresses are not available", "Invalid argument",
            EalArguments.forThisMachine(true));
        assertTrue(line.contains(
            "boot with intel_iommu=on or amd_iommu=on and bind the card to vfio-pci, or run as root"), line);
        assertFalse(line.contains("\n"), line);
    }

    @Test
    void shouldSayWhatHelpsWhereMemoryIsMissing()
    {
        final String line = EalProblem.explain(
            "EAL: Cannot init memory", "Cannot allocate memory", EalArguments.forThisMachine(false));
        assertTrue(line.startsWith("DPDK gets no memory (EAL: Cannot init memory): "), line);
    }

    @Test
    void shouldTellTheArgumentsWhereItKnowsNothing()
    {
        final String line = EalProblem.explain("", "Function not implemented", EalArguments.forThisMachine(false));
        assertTrue(line.contains("Function not implemented; arguments: fibnuma --lcores"), line);
    }
}
