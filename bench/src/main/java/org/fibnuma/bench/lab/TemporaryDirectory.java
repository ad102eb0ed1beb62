package org.fibnuma.bench.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A new directory for the files of a measurement.
 *
 * @param path of the directory.
 */
public record TemporaryDirectory(Path path) implements AutoCloseable
{
    /**
     * Creates a directory.
     *
     * @param name of the measurement, which begins the name of the directory.
     * @throws IOException if it cannot be created.
     */
    public static TemporaryDirectory create(final String name) throws IOException
    {
        return new TemporaryDirectory(Files.createTempDirectory("fibnuma-bench-" + name + "-"));
    }

    /** Deletes the directory with everything in it. */
    @Override
    public void close() throws IOException
    {
        try (Stream<Path> files = Files.walk(path))
        {
            for (final Path file : files.sorted(Comparator.reverseOrder()).toList())
            {
                Files.deleteIfExists(file);
            }
        }
    }
}
