package org.fibnuma.core.service.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A value of an interface before and after a change. If both are hexadecimal ({@code 0x1003}), as in the file
 * {@code flags} of {@code /sys/class/net}, only the bits that differ were changed.
 *
 * @param namespace network namespace, the target of {@code /proc/thread-self/ns/net}.
 * @param device    name of the interface at the time of the change.
 * @param ifindex   interface index, by which the interface is found again.
 * @param name      such as {@code mtu}.
 * @param before    value before the change.
 * @param after     value after the change.
 */
record InterfaceValue(String namespace, String device, int ifindex, String name, String before, String after)
{
    private static final Path NAMESPACE = Path.of("/proc/thread-self/ns/net");
    private static final String HEXADECIMAL = "0x";
    private static final String SEPARATOR = "\t";
    private static final int FIELDS = 6;

    /** Returns the network namespace of the calling thread. */
    static String currentNamespace() throws IOException
    {
        return Files.readSymbolicLink(NAMESPACE).toString();
    }

    /** Reads a value in the calling thread's namespace; null if that has no interface of this name and index. */
    static InterfaceValue read(
        final InterfaceValues values, final String device, final int ifindex, final String name, final String after)
        throws IOException
    {
        final String before = values.read(device, ifindex, name);
        return before == null ? null :
            new InterfaceValue(currentNamespace(), device, ifindex, name, before, after);
    }

    /** Returns the value as one line of a record. */
    String toLine()
    {
        return String.join(SEPARATOR, namespace, device, Integer.toString(ifindex), name, before, after);
    }

    /**
     * Parses a line of a record.
     *
     * @throws IllegalArgumentException if the line is not a value.
     */
    static InterfaceValue parse(final String line)
    {
        final String[] fields = line.split(SEPARATOR, -1);
        if (fields.length != FIELDS || fields[1].contains("/") || fields[1].startsWith(".") || fields[3].contains("/"))
        {
            throw new IllegalArgumentException("not an interface value: " + line);
        }
        return new InterfaceValue(
            fields[0], fields[1], Integer.parseInt(fields[2]), fields[3], fields[4], fields[5]);
    }

    /** Returns whether the interface is in the network namespace of the calling thread. */
    boolean isReachable() throws IOException
    {
        return namespace.equals(currentNamespace());
    }

    /**
     * Restores the value if it is unchanged since the process set it, also if the interface was renamed.
     *
     * @return false if the interface is gone or the value was changed since.
     */
    boolean putBack(final InterfaceValues values) throws IOException
    {
        final String current = values.nameOf(ifindex);
        final String now = current == null ? null : values.read(current, ifindex, name);
        final String restored = now == null ? null : restored(now);
        if (now == null || restored.equals(now))
        {
            return false;
        }
        values.write(current, name, restored);
        return true;
    }

    private String restored(final String now)
    {
        if (!before.startsWith(HEXADECIMAL) || !after.startsWith(HEXADECIMAL))
        {
            return now.equals(after) ? before : now;
        }
        final int changed = Integer.decode(before) ^ Integer.decode(after);
        final int bits = Integer.decode(now);
        return (bits & changed) == (Integer.decode(after) & changed) ?
            HEXADECIMAL + Integer.toHexString(bits & ~changed | Integer.decode(before) & changed) : now;
    }
}
