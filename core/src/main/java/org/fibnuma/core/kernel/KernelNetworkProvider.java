package org.fibnuma.core.kernel;

/** Opens {@link KernelNetwork}; found through {@link java.util.ServiceLoader}. */
public interface KernelNetworkProvider
{
    /**
     * Subscribes to the kernel's notifications in the network namespace of this process.
     *
     * @return the conversation.
     * @throws org.fibnuma.core.port.PortException with one line for the user where the kernel refuses.
     */
    KernelNetwork open();
}
