package org.fibnuma.fibnic.flows;

import org.fibnuma.binding.conntrack.Conntrack;
import org.fibnuma.binding.conntrack.ConntrackEntry;

import java.util.function.Consumer;

/**
 * Reads the table of conntrack in parts, on its own socket, so that the control thread has time for other work. Control
 * thread.
 */
final class TableScan implements AutoCloseable
{
    /** About 400 entries, or 1 ms. */
    private static final int PARTS_PER_CYCLE = 4;

    private final Conntrack conntrack = new Conntrack();
    private boolean isRunning;
    private Consumer<ConntrackEntry> handler;
    private Runnable end;

    /** Returns whether a scan has not ended yet. */
    boolean isRunning()
    {
        return isRunning;
    }

    /**
     * Begins to read the table; none may be running.
     *
     * @param statusMask  as in {@link Conntrack#dump}.
     * @param statusValue as in {@link Conntrack#dump}.
     * @param entries     receives the entries in later calls of {@link #poll}.
     * @param ended       is called when the table was read to its end.
     */
    void begin(
        final int statusMask, final int statusValue, final Consumer<ConntrackEntry> entries, final Runnable ended)
    {
        handler = entries;
        end = ended;
        conntrack.beginDump(statusMask, statusValue);
        isRunning = true;
    }

    /** Passes no more entries, and does not report the end. The scan runs on until the kernel has sent its rest. */
    void cancel()
    {
        handler = entry -> {};
        end = () -> {};
    }

    /**
     * Reads the next parts.
     *
     * @return their number, 0 if no scan runs.
     */
    int poll()
    {
        int parts = 0;
        while (parts < PARTS_PER_CYCLE && isRunning)
        {
            isRunning = !conntrack.continueDump(handler);
            parts++;
            if (!isRunning)
            {
                end.run();
            }
        }
        return parts;
    }

    @Override
    public void close()
    {
        conntrack.close();
    }
}
