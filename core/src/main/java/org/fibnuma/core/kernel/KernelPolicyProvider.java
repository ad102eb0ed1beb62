package org.fibnuma.core.kernel;

import org.fibnuma.core.UserException;

/** Opens {@link KernelPolicy}; found through {@link java.util.ServiceLoader}. */
public interface KernelPolicyProvider
{
    /**
     * Subscribes to the kernel's notifications in the network namespace of the calling thread.
     *
     * @param packetFilters whether netfilter and traffic control are read too, for a router that receives frames before
     *                      they apply.
     * @throws UserException with one line for the user if the kernel refuses.
     */
    KernelPolicy open(boolean packetFilters);
}
