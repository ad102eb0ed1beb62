package org.fibnuma.core.service.host;

import java.io.IOException;

/**
 * Reads and writes one kind of values of the kernel's interfaces, in the network namespace of the thread that opened
 * it. This package has the values of {@code /sys/class/net}; others are found through {@link java.util.ServiceLoader}.
 * One thread at a time.
 */
public interface InterfaceValues extends AutoCloseable
{
    /** Returns whether a value is of this kind, by its name without slashes and tabs, such as {@code mtu}. */
    boolean has(String name);

    /** Returns the current name of the interface with an index, or null if there is none. */
    String nameOf(int ifindex) throws IOException;

    /**
     * Reads a value whose name {@link #has} accepts.
     *
     * @return the value in one line, without tabs; null if there is no interface of that name and index.
     * @throws IOException if the interface has no such value.
     */
    String read(String device, int ifindex, String name) throws IOException;

    /**
     * Writes a value, as {@link #read} returns it, of an interface that {@link #read} has found.
     *
     * @throws IOException if the kernel refuses.
     */
    void write(String device, String name, String value) throws IOException;

    @Override
    void close();
}
