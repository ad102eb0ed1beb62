package org.fibnuma.core;

import java.nio.file.Files;
import java.nio.file.Path;

/** The directory for files that processes of one machine share as memory. */
public final class SharedMemoryDirectory
{
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final String NAME = "[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}";

    private SharedMemoryDirectory()
    {
    }

    /** Returns {@code /dev/shm}, or the directory for temporary files if there is none. */
    public static Path path()
    {
        return Files.isDirectory(SHARED_MEMORY) ? SHARED_MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
    }

    /**
     * Returns whether a text may be part of a file name there: 1 to 64 ASCII letters, digits, hyphens, underscores and
     * dots, not starting with a dot.
     */
    public static boolean isName(final String text)
    {
        return text.matches(NAME);
    }
}
