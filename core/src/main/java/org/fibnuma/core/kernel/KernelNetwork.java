package org.fibnuma.core.kernel;

import org.fibnuma.core.wire.IpAddress;

/** Connection to the kernel's network tables. Used by the control thread only. */
public interface KernelNetwork extends AutoCloseable
{
    /**
     * Reads all links, addresses, neighbours and routes, between {@link KernelNetworkListener#onDumpStart} and
     * {@link KernelNetworkListener#onDumpEnd}. The next {@link #poll} delivers notifications of concurrent changes.
     */
    void dump(KernelNetworkListener listener);

    /**
     * Delivers pending notifications without blocking. If notifications were lost, or the kernel may have changed
     * routes without one, everything is dumped again. Such a dump is read in slices of a few ms, one for each call,
     * after the pending notifications. The listener is the same in each call.
     *
     * @return number of messages handled; above 0 during a dump.
     */
    int poll(KernelNetworkListener listener);

    /**
     * Makes the kernel resolve the MAC address of a neighbour on the link of an interface; the result arrives as a
     * notification.
     *
     * @return null, or in one line why the kernel refuses and what to do; null also for an interface that is gone.
     */
    String resolve(int interfaceIndex, IpAddress address);

    @Override
    void close();
}
