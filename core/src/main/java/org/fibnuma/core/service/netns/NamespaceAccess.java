package org.fibnuma.core.service.netns;

import org.fibnuma.core.UserException;

import java.util.ServiceLoader;
import java.util.function.Supplier;

/** Acts in another network namespace without a process of its own there. The binding module provides it. */
public interface NamespaceAccess
{
    /**
     * Returns the access of this process.
     *
     * @return the implementation of the binding module.
     * @throws UserException if that module is not on the class path.
     */
    static NamespaceAccess load()
    {
        return ServiceLoader.load(NamespaceAccess.class).findFirst().orElseThrow(
            () -> new UserException("network namespaces need the module dpdk-binding on the class path"));
    }

    /**
     * Runs an action on the calling thread while that thread is in a namespace. Ports and sockets that the action opens
     * stay there.
     *
     * @param namespace absolute path of a namespace file, such as {@link Host#namespaceFile()}.
     * @param action    such as opening a port.
     * @param <T>       type of the result.
     * @return the result of the action.
     * @throws UserException if the thread cannot enter the namespace.
     */
    <T> T call(String namespace, Supplier<T> action);

    /**
     * Attaches an XDP program that drops unicast frames to other MAC addresses than the device's own, after the device
     * has counted them. All other frames go to the kernel.
     *
     * @param namespace  absolute path of the namespace file of the device.
     * @param device     name of the device in that namespace.
     * @param macAddress MAC address of the device, as in {@link org.fibnuma.core.wire.MacAddress}.
     * @return the attachment; closing it detaches the program.
     * @throws UserException if the kernel refuses.
     */
    Attachment dropForeignFrames(String namespace, String device, long macAddress);

    /** An attached program. */
    interface Attachment extends AutoCloseable
    {
        /** Detaches the program. */
        @Override
        void close();
    }
}
