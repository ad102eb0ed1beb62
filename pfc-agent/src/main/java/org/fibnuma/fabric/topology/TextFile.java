package org.fibnuma.fabric.topology;

import com.fasterxml.jackson.core.JsonProcessingException;
import org.fibnuma.core.UserException;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.BiConsumer;

/** Reads the text files of users. Every fault is a {@link UserException} of one line that starts with the file. */
public final class TextFile
{
    private TextFile()
    {
    }

    /**
     * Reads a file in UTF-8.
     *
     * @param maxBytes longest file.
     * @param kind     what the file should be, such as "a topology".
     * @param form     what to use if it is no text.
     * @return its content.
     */
    public static String read(final Path file, final long maxBytes, final String kind, final String form)
    {
        try
        {
            if (Files.size(file) > maxBytes)
            {
                throw UserException.usage(file + ": has more than " + (maxBytes >> 20) + " MiB; is this " + kind + "?");
            }
            return Files.readString(file);
        }
        catch (final MalformedInputException ex)
        {
            throw UserException.usage(file + ": is not text; use " + form);
        }
        catch (final IOException ex)
        {
            throw unreadable(file, ex);
        }
    }

    /**
     * Passes the place of each line, {@code file:line}, and its text without a comment after {@code #}. Lines without
     * text are left out.
     */
    public static void forEachLine(final String file, final String text, final BiConsumer<String, String> action)
    {
        int number = 0;
        for (final String line : text.split("\n", -1))
        {
            number++;
            final String content = line.replaceFirst("#.*", "").strip();
            if (!content.isEmpty())
            {
                action.accept(file + ":" + number, content);
            }
        }
    }

    /** {@return the exception for a file or folder that cannot be read} */
    public static UserException unreadable(final Path file, final IOException exception)
    {
        return UserException.usage(file + ": cannot be read (" +
            (exception instanceof NoSuchFileException ? "no such file" : exception.toString()) + ")");
    }

    /** {@return the exception for a file that is not JSON} */
    public static UserException notJson(final String file, final JsonProcessingException exception)
    {
        final int line = exception.getLocation() == null ? 1 : exception.getLocation().getLineNr();
        return UserException.usage(file + ":" + line + ": not JSON: " +
            exception.getOriginalMessage().replaceAll("\\s+", " "));
    }
}
