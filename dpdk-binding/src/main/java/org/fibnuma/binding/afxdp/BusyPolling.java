package org.fibnuma.binding.afxdp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Keeps an interface's interrupts off while it is polled: napi_defer_hard_irqs and gro_flush_timeout
 * (Documentation/networking/napi.rst, Linux 6.1), put back when it is closed.
 */
final class BusyPolling implements AutoCloseable
{
    private static final String DEFER_IRQS = "napi_defer_hard_irqs";
    /** Polls without a frame before interrupts come back. */
    private static final String DEFER_IRQS_COUNT = "2";
    private static final String FLUSH_TIMEOUT = "gro_flush_timeout";
    /** In ns: much longer than a duty cycle, so that interrupts stay off; short where the worker hangs. */
    private static final String FLUSH_TIMEOUT_NS = "200000";

    private final Path directory;
    private final String oldDeferIrqs;
    private final String oldFlushTimeout;

    private BusyPolling(final Path directory) throws IOException
    {
        this.directory = directory;
        this.oldDeferIrqs = Files.readString(directory.resolve(DEFER_IRQS)).strip();
        this.oldFlushTimeout = Files.readString(directory.resolve(FLUSH_TIMEOUT)).strip();
        write(DEFER_IRQS, DEFER_IRQS_COUNT);
        write(FLUSH_TIMEOUT, FLUSH_TIMEOUT_NS);
    }

    /**
     * Puts interrupts off.
     *
     * @param name    of the interface.
     * @param ifindex of the interface, since /sys may show another network namespace.
     * @return what puts them back, or null where this system does not let us: polling works all the same.
     */
    static BusyPolling deferInterrupts(final String name, final int ifindex)
    {
        final Path directory = Path.of("/sys/class/net", name);
        try
        {
            final boolean same =
                Integer.parseInt(Files.readString(directory.resolve("ifindex")).strip()) == ifindex;
            return same ? new BusyPolling(directory) : null;
        }
        catch (final IOException ignore)
        {
            return null;
        }
    }

    @Override
    public void close()
    {
        try
        {
            write(DEFER_IRQS, oldDeferIrqs);
            write(FLUSH_TIMEOUT, oldFlushTimeout);
        }
        catch (final IOException ignore)
        {
            // The interface is gone, and its settings with it.
        }
    }

    private void write(final String file, final String value) throws IOException
    {
        Files.writeString(directory.resolve(file), value);
    }
}
