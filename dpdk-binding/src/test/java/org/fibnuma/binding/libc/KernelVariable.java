package org.fibnuma.binding.libc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A variable of a network namespace's kernel, written as a file: not every machine has the program sysctl. */
public final class KernelVariable
{
    private static final Path VARIABLES = Path.of("/proc/sys/net");

    private KernelVariable()
    {
    }

    /**
     * Sets it.
     *
     * @param namespace of the test, made by {@code ip netns add}.
     * @param name      below {@code net}, with dots, such as {@code ipv4.ip_forward}.
     * @param value     to write.
     */
    public static void set(final String namespace, final String name, final String value)
    {
        NetworkNamespace.call(namespace, () -> write(VARIABLES.resolve(name.replace('.', '/')), value));
    }

    private static Path write(final Path file, final String value)
    {
        try
        {
            return Files.writeString(file, value);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
