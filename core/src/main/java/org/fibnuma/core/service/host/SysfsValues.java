package org.fibnuma.core.service.host;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/**
 * The files of interfaces in {@code /sys/class/net}, which may be those of another network namespace than the thread's.
 *
 * @param interfaces directory with a subdirectory for each interface.
 */
record SysfsValues(Path interfaces) implements InterfaceValues
{
    private static final String INDEX = "ifindex";
    private static final char OTHER_KIND = ':';

    @Override
    public boolean has(final String name)
    {
        return name.indexOf(OTHER_KIND) < 0;
    }

    @Override
    public String nameOf(final int ifindex) throws IOException
    {
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(interfaces))
        {
            for (final Path directory : directories)
            {
                if (isThere(directory, ifindex))
                {
                    return directory.getFileName().toString();
                }
            }
        }
        return null;
    }

    @Override
    public String read(final String device, final int ifindex, final String name) throws IOException
    {
        final Path directory = interfaces.resolve(device);
        return isThere(directory, ifindex) ? Files.readString(directory.resolve(name)).strip() : null;
    }

    @Override
    public void write(final String device, final String name, final String value) throws IOException
    {
        Files.writeString(interfaces.resolve(device).resolve(name), value);
    }

    @Override
    public void close()
    {
    }

    private static boolean isThere(final Path directory, final int ifindex) throws IOException
    {
        try
        {
            return Integer.parseInt(Files.readString(directory.resolve(INDEX)).strip()) == ifindex;
        }
        catch (final NoSuchFileException | NotDirectoryException ex)
        {
            return false;
        }
    }
}
