package org.fibnuma.core.memory;

import java.nio.file.Path;

/** A file in memory whose length cannot change. */
public interface SealedFile extends AutoCloseable
{
    /** Returns a path by which processes of the same user and PID namespace can open the file until {@link #close}. */
    Path path();

    /** Closes the file; existing mappings of it stay valid. */
    @Override
    void close();
}
