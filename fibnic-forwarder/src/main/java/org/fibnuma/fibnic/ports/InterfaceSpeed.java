package org.fibnuma.fibnic.ports;

import org.fibnuma.pfc.quanta.LinkSpeed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The speed of an interface's link, from {@code /sys/class/net} (Documentation/ABI/testing/sysfs-class-net). */
public final class InterfaceSpeed
{
    /** Returned for an interface that has no link, does not say its speed, or is not there. */
    public static final long UNKNOWN = 0;

    private static final Path INTERFACES = Path.of("/sys/class/net");

    private InterfaceSpeed()
    {
    }

    /**
     * Reads a speed. The driver may wait for the kernel's lock of network devices: not for the control thread.
     *
     * @param name       of the interface.
     * @param macAddress of the interface, as text with small letters. {@code /sys} may show another network namespace,
     *                   whose interface of the same name has another one.
     * @return bits per second, or {@link #UNKNOWN}.
     */
    public static long read(final String name, final String macAddress)
    {
        return read(INTERFACES.resolve(name), macAddress);
    }

    static long read(final Path directory, final String macAddress)
    {
        try
        {
            if (!Files.readString(directory.resolve("address")).strip().equals(macAddress))
            {
                return UNKNOWN;
            }
            final long megabits = Long.parseLong(Files.readString(directory.resolve("speed")).strip());
            return megabits <= 0 ? UNKNOWN : megabits * LinkSpeed.MEGABIT;
        }
        catch (final IOException | NumberFormatException ignore)
        {
            return UNKNOWN;
        }
    }
}
