package org.fibnuma.binding.libc;

import org.agrona.UnsafeApi;
import org.fibnuma.core.memory.PageSource;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

class MappedPageSourceTest
{
    private static final long SIZE = (4L << 20) + 1;
    private static final long MAPPED = 6L << 20;

    private final PageSource source = PageSource.load();

    @Test
    void shouldBeTheSourceOfThisProcess()
    {
        assertInstanceOf(MappedPageSource.class, source);
    }

    @Test
    void shouldAlignZeroAndHoldLargeMemory() throws IOException
    {
        final long address = source.allocate(SIZE);

        assertEquals(0, address % MappedPageSource.HUGE_PAGE_SIZE);
        for (long offset = 0; offset < SIZE; offset += 511)
        {
            assertEquals(0, UnsafeApi.getByte(address + offset));
        }
        assertEquals(MAPPED / 1024, residentKib(address));
        UnsafeApi.putByte(address + SIZE - 1, (byte)1);
        source.free(address, SIZE);
        assertFalse(isMapped(address));
        assertFalse(isMapped(address + MAPPED - 4096));
    }

    @Test
    void shouldGiveSmallMemoryInPages()
    {
        final long address = source.allocate(100);

        assertEquals(0, address % PageSource.PAGE_SIZE);
        assertEquals(0, UnsafeApi.getLong(address + 4088));
        source.free(address, 100);
        assertFalse(isMapped(address));
    }

    /** Resident part of the mapping that covers an address, no more than ours; neighbours may be merged with it. */
    private static long residentKib(final long address) throws IOException
    {
        final List<String> lines = Files.readAllLines(Path.of("/proc/self/smaps"));
        boolean inside = false;
        for (final String line : lines)
        {
            if (line.matches("[0-9a-f]+-[0-9a-f]+ .*"))
            {
                inside = covers(line, address);
            }
            else if (inside && (line.startsWith("Rss:") || line.startsWith("Private_Hugetlb:")) &&
                !line.matches(".*\\s0 kB"))
            {
                return Math.min(Long.parseLong(line.replaceAll("\\D", "")), MAPPED / 1024);
            }
        }
        return 0;
    }

    private static boolean isMapped(final long address)
    {
        try
        {
            return Files.readAllLines(Path.of("/proc/self/maps")).stream().anyMatch(line -> covers(line, address));
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private static boolean covers(final String line, final long address)
    {
        final int dash = line.indexOf('-');
        final int space = line.indexOf(' ');
        assertTrue(dash > 0 && space > dash);
        return Long.parseUnsignedLong(line.substring(0, dash), 16) <= address &&
            Long.parseUnsignedLong(line.substring(dash + 1, space), 16) > address;
    }
}
