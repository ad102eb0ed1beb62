package org.fibnuma.core.memory;

import java.io.IOException;
import java.util.ServiceLoader;

/**
 * Makes files in memory whose length nobody can change any more. The binding module provides one over memfd_create(2)
 * where the machine has that; without it there are none.
 */
public interface SealedFileSource
{
    /**
     * The source to use in this process.
     *
     * @return the provided one, or one that has no files.
     */
    static SealedFileSource load()
    {
        return ServiceLoader.load(SealedFileSource.class).findFirst().orElse((name, length) -> null);
    }

    /**
     * A file of zeros in resident memory, which only this user may open.
     *
     * @param name   for lists of open files.
     * @param length in bytes, above 0; the file keeps it.
     * @return the file, which the caller closes; null where other processes of this user could not open such a file.
     * @throws IOException where there is no memory left.
     */
    SealedFile create(String name, long length) throws IOException;
}
