package org.fibnuma.binding.dpdk.eal;

import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.NativeText;
import org.fibnuma.binding.libc.StructMemory;

import java.util.List;

/**
 * Captures DPDK's log during a set-up, for the reason of a failure. After close, DPDK logs to standard error again. One
 * at a time, under the lock of {@link Eal}.
 */
final class EalLog implements AutoCloseable
{
    private static final int POINTER_OFFSET = 0;
    private static final int SIZE_OFFSET = Long.BYTES;

    private final LibC libC = LibC.get();
    private final EalLibrary eal;
    private final StructMemory buffer = new StructMemory(2 * Long.BYTES);
    private final long stream;

    EalLog(final EalLibrary eal)
    {
        this.eal = eal;
        this.stream = libC.open_memstream(buffer.address() + POINTER_OFFSET, buffer.address() + SIZE_OFFSET);
        eal.rte_openlog_stream(stream);
    }

    /** Returns the non-empty lines logged so far. */
    List<String> lines()
    {
        libC.fflush(stream);
        return NativeText.at(buffer.getLong(POINTER_OFFSET), buffer.getLong(SIZE_OFFSET)).lines()
            .map(String::trim).filter(line -> !line.isEmpty()).toList();
    }

    /** Returns the last three lines as one, or an empty text. */
    String reason()
    {
        final List<String> lines = lines();
        return String.join("; ", lines.subList(Math.max(0, lines.size() - 3), lines.size()));
    }

    @Override
    public void close()
    {
        eal.rte_openlog_stream(0);
        libC.fclose(stream);
        libC.free(buffer.getLong(POINTER_OFFSET));
        buffer.close();
    }
}
