package org.fibnuma.core.memory;

import java.io.IOException;
import java.util.ServiceLoader;

/** Makes files in memory whose length cannot change. The binding module implements it with memfd_create(2). */
public interface SealedFileSource
{
    /** Returns the provided source of this process, or one whose {@link #create} returns null. */
    static SealedFileSource load()
    {
        return ServiceLoader.load(SealedFileSource.class).findFirst().orElse((name, length) -> null);
    }

    /**
     * Creates a zeroed file in resident memory that only this user may open.
     *
     * @param name   shown in lists of open files.
     * @param length of the file in bytes, above 0.
     * @return the file, which the caller closes; null if other processes of this user could not open such a file.
     * @throws IOException if there is no memory left.
     */
    SealedFile create(String name, long length) throws IOException;
}
