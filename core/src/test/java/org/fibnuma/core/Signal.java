package org.fibnuma.core;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Sends signals that {@link ProcessHandle} does not support, by the kill of the shell, which every machine has. */
public final class Signal
{
    private static final long PATIENCE_SECONDS = 10;

    private Signal()
    {
    }

    /**
     * Sends a signal to a process that the test started.
     *
     * @param name such as {@code STOP}.
     * @param pid  of the process.
     */
    public static void send(final String name, final long pid)
    {
        try
        {
            final Process shell = new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid).inheritIO().start();
            if (!shell.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || shell.exitValue() != 0)
            {
                throw new AssertionError("cannot send " + name + " to process " + pid);
            }
        }
        catch (final IOException ex)
        {
            throw new AssertionError("no shell", ex);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", ex);
        }
    }
}
