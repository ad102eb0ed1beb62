package org.fibnuma.binding.afxdp;

import org.fibnuma.core.host.HostChanges;

import java.io.IOException;

/**
 * Keeps an interface's interrupts off while it is polled: napi_defer_hard_irqs and gro_flush_timeout
 * (Documentation/networking/napi.rst, Linux 6.1), put back when it is closed, or by the next start.
 */
final class BusyPolling implements AutoCloseable
{
    private static final String DEFER_IRQS = "napi_defer_hard_irqs";
    /** Polls without a frame before interrupts come back. */
    private static final String DEFER_IRQS_COUNT = "2";
    private static final String FLUSH_TIMEOUT = "gro_flush_timeout";
    /** In ns: much longer than a duty cycle, so that interrupts stay off; short where the worker hangs. */
    private static final String FLUSH_TIMEOUT_NS = "200000";

    private final HostChanges.Change deferIrqs;
    private final HostChanges.Change flushTimeout;

    private BusyPolling(final HostChanges.Change deferIrqs, final HostChanges.Change flushTimeout)
    {
        this.deferIrqs = deferIrqs;
        this.flushTimeout = flushTimeout;
    }

    /**
     * Puts interrupts off.
     *
     * @param name    of the interface.
     * @param ifindex of the interface, since /sys may show another network namespace.
     * @param changes where the old values are written down first.
     * @return what puts them back, or null where this system does not let us: polling works all the same.
     */
    static BusyPolling deferInterrupts(final String name, final int ifindex, final HostChanges changes)
    {
        HostChanges.Change deferIrqs = null;
        HostChanges.Change flushTimeout = null;
        boolean complete = false;
        try
        {
            deferIrqs = changes.expect(name, ifindex, DEFER_IRQS, DEFER_IRQS_COUNT);
            flushTimeout = changes.expect(name, ifindex, FLUSH_TIMEOUT, FLUSH_TIMEOUT_NS);
            if (deferIrqs == null || flushTimeout == null)
            {
                return null;
            }
            deferIrqs.make();
            flushTimeout.make();
            complete = true;
            return new BusyPolling(deferIrqs, flushTimeout);
        }
        catch (final IOException ignore)
        {
            return null;
        }
        finally
        {
            if (!complete)
            {
                close(deferIrqs);
                close(flushTimeout);
            }
        }
    }

    @Override
    public void close()
    {
        close(flushTimeout);
        close(deferIrqs);
    }

    private static void close(final HostChanges.Change change)
    {
        if (change != null)
        {
            change.close();
        }
    }
}
