package org.fibnuma.core;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where files live that processes of one machine share as memory. */
public final class SharedMemoryDirectory
{
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final String NAME = "[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}";

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

    /**
     * Whether a text may be part of the name of something there.
     *
     * @param text any.
     * @return true for 1 to 64 ASCII letters, digits, hyphens, underscores and dots, not beginning with a dot.
     */
    public static boolean isName(final String text)
    {
        return text.matches(NAME);
    }
}
