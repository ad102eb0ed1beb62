package org.fibnuma.core.kernel;

/**
 * A conversation with the kernel about its network tables. Used by the control thread only.
 */
public interface KernelNetwork extends AutoCloseable
{
    /**
     * Reads everything: links, addresses, neighbours, routes, between {@link KernelNetworkListener#onDumpStart} and
     * {@link KernelNetworkListener#onDumpEnd}. Notifications of changes made meanwhile are delivered by the next
     * {@link #poll}.
     *
     * @param listener to tell.
     */
    void dump(KernelNetworkListener listener);

    /**
     * Delivers pending notifications without blocking. Dumps everything again where some were lost, and where the
     * kernel may have changed routes without a notification: the listener then holds what the kernel holds. Such a dump
     * is read in slices of a few ms, one with each call and behind the notifications that wait.
     *
     * @param listener to tell, the same with each call.
     * @return how many messages were handled; above 0 while a dump goes on.
     */
    int poll(KernelNetworkListener listener);

    /**
     * Asks the kernel to find a neighbour's link-layer address; the answer comes as a notification.
     *
     * @param interfaceIndex that it is behind.
     * @param address        as in {@link org.fibnuma.core.wire.Ipv4Address}.
     */
    void resolve(int interfaceIndex, int address);

    @Override
    void close();
}
