package org.fibnuma.core.service.jvmpause;

import org.agrona.CloseHelper;
import org.fibnuma.core.SharedMemoryDirectory;

import javax.management.JMException;
import javax.management.ObjectName;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the safepoints of this JVM from HotSpot's log (diagnostic command {@code VM.log}, tag {@code safepoint}). The
 * JVM writes a line after it has released the threads, into an unlinked file in shared memory. One thread at a time.
 */
final class SafepointLog implements AutoCloseable
{
    /** The fields between the matched ones differ in JDK 17 to 25. */
    private static final Pattern LINE = Pattern.compile(
        "\\[(\\d+)ns] Safepoint \"([^\"]+)\",.*Reaching safepoint: +(\\d+) ns,(?:.*Leaving safepoint: +(\\d+) ns,)?" +
        ".*Total: +(\\d+) ns.*");

    /** Size in bytes above which the file is truncated; a line written at that moment is lost. */
    private static final int MAX_BYTES = 1 << 16;

    private final String output;
    private final FileChannel file;
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 14);
    private long position;

    private SafepointLog(final String output, final FileChannel file)
    {
        this.output = output;
        this.file = file;
    }

    /**
     * Starts the log, which takes about 100 ms, mostly for class loading. Returns null if the JVM has no such command
     * or the file cannot be created.
     */
    static SafepointLog open()
    {
        final Path path;
        final FileChannel file;
        try
        {
            path = Files.createTempFile(SharedMemoryDirectory.path(), "fibnuma-safepoints-", ".log");
            file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        }
        catch (final IOException ex)
        {
            return null;
        }
        final SafepointLog log = new SafepointLog("output=file=" + path, file);
        try
        {
            command(log.output, "what=safepoint=info", "decorators=timenanos", "output_options=filecount=0");
            return log;
        }
        catch (final JMException ex)
        {
            CloseHelper.quietClose(file);
            return null;
        }
        finally
        {
            // The JVM keeps the file open. If the deletion fails, an empty file stays in shared memory.
            path.toFile().delete();
        }
    }

    /** Passes the safepoints since the last call to a consumer; returns false if the file cannot be read any more. */
    boolean poll(final Consumer<Safepoint> consumer)
    {
        try
        {
            int count = file.read(buffer, position);
            while (count > 0)
            {
                position += count;
                buffer.flip();
                takeLines(consumer);
                buffer.compact();
                count = file.read(buffer, position);
            }
            if (position > MAX_BYTES && buffer.position() == 0)
            {
                file.truncate(0);
                position = 0;
            }
            return true;
        }
        catch (final IOException ex)
        {
            return false;
        }
    }

    @Override
    public void close()
    {
        try
        {
            command(output, "what=all=off");
            file.close();
        }
        catch (final JMException | IOException ex)
        {
            throw new IllegalStateException("opened by open()", ex);
        }
    }

    /** Parses one line of the log; null if it is not about a safepoint. */
    static Safepoint parse(final String line)
    {
        final Matcher matcher = LINE.matcher(line);
        if (!matcher.matches())
        {
            return null;
        }
        final long endNs = Long.parseLong(matcher.group(1));
        final long startNs = endNs - Long.parseLong(matcher.group(5));
        final long leavingNs = matcher.group(4) == null ? 0 : Long.parseLong(matcher.group(4));
        return new Safepoint(
            matcher.group(2), startNs, startNs + Long.parseLong(matcher.group(3)), endNs - leavingNs, endNs);
    }

    private void takeLines(final Consumer<Safepoint> consumer)
    {
        int start = buffer.position();
        for (int i = start; i < buffer.limit(); i++)
        {
            if (buffer.get(i) == '\n')
            {
                final Safepoint safepoint =
                    parse(new String(buffer.array(), start, i - start, StandardCharsets.US_ASCII));
                if (safepoint != null)
                {
                    consumer.accept(safepoint);
                }
                start = i + 1;
            }
        }
        // A line longer than the buffer is not about a safepoint.
        buffer.position(start == 0 && buffer.limit() == buffer.capacity() ? buffer.limit() : start);
    }

    private static void command(final String... arguments) throws JMException
    {
        ManagementFactory.getPlatformMBeanServer().invoke(
            new ObjectName("com.sun.management:type=DiagnosticCommand"), "vmLog",
            new Object[] {arguments}, new String[] {String[].class.getName()});
    }
}
