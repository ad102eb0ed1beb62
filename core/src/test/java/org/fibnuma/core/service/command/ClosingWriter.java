package org.fibnuma.core.service.command;

import java.io.IOException;
import java.io.Writer;

/** A pipe whose reader closes it after some texts: what is written is kept until a number of flushes with text. */
public final class ClosingWriter extends Writer
{
    private final StringBuffer text = new StringBuffer();
    private final int flushes;
    private int flushed;
    private int flushedLength;

    /**
     * Opens the pipe.
     *
     * @param flushes number of flushed texts after which it is closed.
     */
    public ClosingWriter(final int flushes)
    {
        this.flushes = flushes;
    }

    /** Returns what has been written. */
    public String text()
    {
        return text.toString();
    }

    @Override
    public void write(final char[] characters, final int offset, final int length)
    {
        text.append(characters, offset, length);
    }

    @Override
    public void flush() throws IOException
    {
        if (text.length() > flushedLength)
        {
            flushedLength = text.length();
            flushed++;
        }
        if (flushed >= flushes)
        {
            throw new IOException("Broken pipe");
        }
    }

    @Override
    public void close()
    {
        // The command does not close standard output.
    }
}
