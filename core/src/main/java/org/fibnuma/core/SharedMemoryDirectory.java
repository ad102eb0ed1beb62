package org.fibnuma.core;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where files live that processes of one machine share as memory. */
public final class SharedMemoryDirectory
{
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private SharedMemoryDirectory()
    {
    }

    /**
     * The directory of this machine.
     *
     * @return {@code /dev/shm}, or the directory for temporary files where there is none.
     */
    public static Path path()
    {
        return Files.isDirectory(SHARED_MEMORY) ? SHARED_MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
    }
}
