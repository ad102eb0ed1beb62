package org.fibnuma.binding.afxdp;

import org.agrona.CloseHelper;
import org.fibnuma.core.service.host.HostChanges;

import java.io.IOException;

/**
 * Defers the interrupts of an interface while it is polled, by napi_defer_hard_irqs and gro_flush_timeout
 * (Documentation/networking/napi.rst, Linux 6.1). The previous values are restored on close, or by the next start.
 */
final class BusyPolling implements AutoCloseable
{
    private static final String DEFER_IRQS = "napi_defer_hard_irqs";
    /** Number of empty polls before interrupts are enabled again. */
    private static final String DEFER_IRQS_COUNT = "2";
    private static final String FLUSH_TIMEOUT = "gro_flush_timeout";
    /** In ns: much longer than a duty cycle, so that interrupts stay disabled, but short if the worker hangs. */
    private static final String FLUSH_TIMEOUT_NS = "200000";

    private final HostChanges.Change deferIrqs;
    private final HostChanges.Change flushTimeout;

    private BusyPolling(final HostChanges.Change deferIrqs, final HostChanges.Change flushTimeout)
    {
        this.deferIrqs = deferIrqs;
        this.flushTimeout = flushTimeout;
    }

    /**
     * Defers interrupts.
     *
     * @param name    of the interface.
     * @param ifindex of the interface, because /sys may show another network namespace.
     * @param changes record the previous values first.
     * @return restores the values on close; null if the system does not allow it: polling works without it.
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
                CloseHelper.closeAll(deferIrqs, flushTimeout);
            }
        }
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(flushTimeout, deferIrqs);
    }
}
