package org.fibnuma.core.kernel;

/** Opens {@link KernelPolicy}; found through {@link java.util.ServiceLoader}. */
public interface KernelPolicyProvider
{
    /**
     * Subscribes to the kernel's notifications in the network namespace of the calling thread.
     *
     * @param packetFilters whether netfilter and traffic control are looked at too: for a router that takes frames
     *                      before these see them.
     * @return the conversation.
     * @throws org.fibnuma.core.port.PortException with one line for the user where the kernel refuses.
     */
    KernelPolicy open(boolean packetFilters);
}
