package org.fibnuma.core.service.netns;

import org.fibnuma.core.UserException;

import java.util.ServiceLoader;
import java.util.function.Supplier;

/** Gives access to other network namespaces without a process there. The binding module implements it. */
public interface NamespaceAccess
{
    /**
     * Returns the implementation of the binding module.
     *
     * @throws UserException if that module is not on the class path.
     */
    static NamespaceAccess load()
    {
        return ServiceLoader.load(NamespaceAccess.class).findFirst().orElseThrow(
            () -> new UserException("network namespaces need the module dpdk-binding on the class path"));
    }

    /**
     * Runs an action on the calling thread in a namespace. Ports and sockets that the action opens stay there.
     *
     * @param namespace absolute path of a namespace file, such as {@link Host#namespaceFile()}.
     * @param action    such as opening a port.
     * @param <T>       type of the result.
     * @throws UserException if the thread cannot enter the namespace.
     */
    <T> T call(String namespace, Supplier<T> action);

    /**
     * Attaches an XDP program that drops unicast frames to other MAC addresses than the device's. The device has
     * counted them. The kernel receives all other frames.
     *
     * @param namespace  absolute path of the namespace file of the device.
     * @param device     name of the device in that namespace.
     * @param macAddress of the device, in the format of {@link org.fibnuma.core.wire.MacAddress}.
     * @throws UserException if the kernel refuses.
     */
    Attachment dropForeignFrames(String namespace, String device, long macAddress);

    /** An attached program, which {@link #close()} detaches. */
    interface Attachment extends AutoCloseable
    {
        @Override
        void close();
    }
}
