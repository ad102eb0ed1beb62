package org.fibnuma.core.kernel;

import org.fibnuma.core.UserException;

/** Opens {@link KernelNetwork}; found through {@link java.util.ServiceLoader}. */
public interface KernelNetworkProvider
{
    /**
     * Subscribes to the kernel's notifications in the network namespace of this process.
     *
     * @throws UserException with one line for the user if the kernel refuses.
     */
    KernelNetwork open();
}
