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
     * @param ipv6          whether the policy for IPv6 packets is read too. Otherwise {@link HostPolicy} contains
     *                      nothing that applies to IPv6 only, and {@link InterfacePolicy#ipv6Forwarding()} is true.
     * @throws UserException with one line for the user if the kernel refuses.
     */
    KernelPolicy open(boolean packetFilters, boolean ipv6);
}
