package org.fibnuma.core.kernel;

import java.util.Set;

/** Asks the kernel what it has decided about packets that it forwards, and hears of changes. Control thread only. */
public interface KernelPolicy extends AutoCloseable
{
    /**
     * Takes the notifications that wait, without blocking.
     *
     * @param nowMs time of any clock in ms: what the kernel does not notify of is due to be read again once a second.
     * @return whether {@link #read} may yield something else than the last time.
     * @throws org.fibnuma.core.port.PortException where the conversation is broken.
     */
    boolean poll(long nowMs);

    /**
     * Reads what may have changed; the first time everything.
     *
     * @param interfaces indexes of those that packets come in by.
     * @return the policy as it is now.
     * @throws org.fibnuma.core.port.PortException with one line for the user where the kernel refuses to tell.
     */
    HostPolicy read(Set<Integer> interfaces);

    @Override
    void close();
}
