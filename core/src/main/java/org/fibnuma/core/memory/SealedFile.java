package org.fibnuma.core.memory;

import java.nio.file.Path;

/** A file in memory that keeps its length. */
public interface SealedFile extends AutoCloseable
{
    /**
     * Where processes of the same user and the same PID namespace open it.
     *
     * @return a path that is valid until {@link #close} and leads to the file like any other.
     */
    Path path();

    /** Gives the file up; those that have it mapped keep it. */
    @Override
    void close();
}
