package org.fibnuma.core;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Describes why a file operation failed, because the message of the exception is often only the name of the file. */
public final class IoFailure
{
    private IoFailure()
    {
    }

    /** Returns the reason without the name of the file, to follow "cannot ...: ". */
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
