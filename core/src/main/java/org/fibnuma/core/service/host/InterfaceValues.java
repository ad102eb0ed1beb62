package org.fibnuma.core.service.host;

import java.io.IOException;

/**
 * Reads and writes values of interfaces in the kernel, in the network namespace of the thread that opened it. The
 * values of {@code /sys/class/net} are part of this package; others are found through {@link java.util.ServiceLoader}.
 * One thread at a time.
 */
public interface InterfaceValues extends AutoCloseable
{
    /**
     * Returns whether a value is of this kind.
     *
     * @param name of the value, without slashes and tabs, such as {@code mtu}.
     */
    boolean has(String name);

    /**
     * Returns the name that an interface has now.
     *
     * @param ifindex interface index.
     * @return the name, or null if there is no such interface.
     * @throws IOException if the interfaces cannot be read.
     */
    String nameOf(int ifindex) throws IOException;

    /**
     * Reads a value.
     *
     * @param device  name of the interface.
     * @param ifindex interface index.
     * @param name    that {@link #has} accepts.
     * @return the value in one line, without tabs; null if there is no interface of that name and index.
     * @throws IOException if the interface has no such value.
     */
    String read(String device, int ifindex, String name) throws IOException;

    /**
     * Writes a value of an interface that {@link #read} has found.
     *
     * @param device name of the interface.
     * @param name   that {@link #has} accepts.
     * @param value  as {@link #read} returns it.
     * @throws IOException if the kernel refuses.
     */
    void write(String device, String name, String value) throws IOException;

    @Override
    void close();
}
