package org.fibnuma.core.service.log;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.Optional;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Writes lines as errors to the journal: each begins with {@code <3>} (sd-daemon(3)), as log events of that level do.
 * Without it the journal would give them the priority of information.
 */
public final class JournalErrors extends FilterWriter
{
    private static final String ERROR = "<3>";

    private boolean isInLine;

    JournalErrors(final Writer out)
    {
        super(out);
    }

    /** Returns a writer for standard error if the journal reads it. */
    public static Optional<PrintWriter> standardError()
    {
        return JournalStream.isStandardError() ?
            Optional.of(new PrintWriter(new JournalErrors(new OutputStreamWriter(System.err, UTF_8)), true)) :
            Optional.empty();
    }

    @Override
    public void write(final int character) throws IOException
    {
        if (!isInLine)
        {
            out.write(ERROR);
        }
        isInLine = character != '\n';
        out.write(character);
    }

    @Override
    public void write(final char[] characters, final int offset, final int length) throws IOException
    {
        for (int i = 0; i < length; i++)
        {
            write(characters[offset + i]);
        }
    }

    @Override
    public void write(final String text, final int offset, final int length) throws IOException
    {
        for (int i = 0; i < length; i++)
        {
            write(text.charAt(offset + i));
        }
    }
}
