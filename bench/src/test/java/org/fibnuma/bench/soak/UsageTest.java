package org.fibnuma.bench.soak;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

class UsageTest
{
    private static final long MEBIBYTE = 1 << 20;
    private static final Usage BEFORE = new Usage(100 * MEBIBYTE, 1000 * MEBIBYTE, 200, 40);

    @Test
    void shouldPermitGrowthUpToTheLimits()
    {
        assertEquals(List.of(),
            new Usage(116 * MEBIBYTE, 1100 * MEBIBYTE, 204, 44).grownSince(BEFORE));
        assertEquals(List.of(), new Usage(1, 1, 1, 1).grownSince(BEFORE));
    }

    @Test
    void shouldFindEachValueThatHasGrown()
    {
        assertEquals(List.of(
            "heapBytes grew from 104857600 after the warm-up to 122683392, by more than 10 % or 16 MiB",
            "rssBytes grew from 1048576000 after the warm-up to 1154482176, by more than 10 % or 64 MiB",
            "descriptors grew from 200 after the warm-up to 205, by more than 4",
            "threads grew from 40 after the warm-up to 45, by more than 4"),
            new Usage(117 * MEBIBYTE, 1101 * MEBIBYTE, 205, 45).grownSince(BEFORE));
    }
}
