package org.fibnuma.core;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Says in words why a file operation failed, where the exception itself often says no more than the file's name. */
public final class IoFailure
{
    private IoFailure()
    {
    }

    /**
     * The reason without the name of the file.
     *
     * @param failure of reading, writing or opening.
     * @return words to follow "cannot ...: ".
     */
    public static String reason(final IOException failure)
    {
        if (failure instanceof FileSystemException && ((FileSystemException)failure).getReason() != null)
        {
            return ((FileSystemException)failure).getReason();
        }
        if (failure instanceof NoSuchFileException)
        {
            return "no such file or directory";
        }
        if (failure instanceof AccessDeniedException)
        {
            return "permission denied";
        }
        if (failure instanceof FileAlreadyExistsException)
        {
            return "it exists already";
        }
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }
}
