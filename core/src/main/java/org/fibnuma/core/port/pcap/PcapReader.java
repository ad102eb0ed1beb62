package org.fibnuma.core.port.pcap;

import org.fibnuma.core.IoFailure;
import org.fibnuma.core.UserException;
import org.fibnuma.core.memory.FrameMemory;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Reads the frames of a capture file: classic pcap of either byte order with micro- or nanoseconds, or pcapng. Used by
 * one thread. {@link #next} neither throws nor allocates (except for the list of interfaces): reading ends at the first
 * invalid byte, and {@link #problem} describes it.
 */
public final class PcapReader implements AutoCloseable
{
    /** Link type of Ethernet frames without FCS (LINKTYPE_ETHERNET of the tcpdump.org registry). */
    public static final int LINK_TYPE_ETHERNET = 1;

    /** Link type of a pcapng file: each frame has its own. */
    public static final int LINK_TYPE_PER_FRAME = -1;

    private final Path file;
    private final int linkTypeOfFile;
    private final CaptureStream stream;
    private final CaptureFormat format;

    private PcapReader(final Path file, final CaptureStream stream, final CaptureFormat format)
    {
        this.file = file;
        this.stream = stream;
        this.format = format;
        this.linkTypeOfFile = format.linkType;
    }

    /**
     * Opens a file and recognizes its format.
     *
     * @throws UserException with one line if the file cannot be read or is not a capture file.
     */
    public static PcapReader open(final Path file)
    {
        CaptureStream stream = null;
        CaptureFormat format = null;
        try
        {
            stream = CaptureStream.open(file);
            if (stream.require(PcapFormat.FILE_HEADER_LENGTH))
            {
                format = PcapFormat.recognize(stream);
            }
            if (format == null && stream.require(PcapngFormat.MIN_SECTION_LENGTH))
            {
                format = PcapngFormat.recognize(stream);
            }
            if (format == null)
            {
                throw new UserException(stream.problem() == null ?
                    file + " is not a pcap or pcapng file" : file + " " + stream.problem());
            }
            return new PcapReader(file, stream, format);
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot read " + file + ": " + IoFailure.reason(ex), ex);
        }
        finally
        {
            if (format == null && stream != null)
            {
                close(stream);
            }
        }
    }

    /** Moves to the next frame; returns false at the end of the file or of its valid part. */
    public boolean next()
    {
        return stream.problem() == null && format.next();
    }

    /** Returns the captured length of the frame in bytes, 0 to 262,144. */
    public int capturedLength()
    {
        return format.capturedLength;
    }

    /** Returns the length of the frame on the wire in bytes; more than {@link #capturedLength} if it was truncated. */
    public long originalLength()
    {
        return format.originalLength;
    }

    /** Returns the {@link #linkType} of all frames in the file, or {@link #LINK_TYPE_PER_FRAME}. */
    public int linkTypeOfFile()
    {
        return linkTypeOfFile;
    }

    /** Returns the frame's link type of the tcpdump.org registry, such as {@link #LINK_TYPE_ETHERNET}. */
    public int linkType()
    {
        return format.linkType;
    }

    /** Copies {@link #capturedLength} bytes of the frame to a native address. */
    public void copyTo(final long destination)
    {
        FrameMemory.copy(stream.address(), destination, format.capturedLength);
    }

    /** Returns the file as it was opened. */
    public Path file()
    {
        return file;
    }

    /** Returns in one line why reading ended before the end of the file, or null. */
    public String problem()
    {
        return stream.problem() == null ? null : file + " " + stream.problem();
    }

    @Override
    public void close()
    {
        close(stream);
    }

    private static void close(final CaptureStream stream)
    {
        try
        {
            stream.close();
        }
        catch (final IOException ignore)
        {
            // The file was only read.
        }
    }
}
