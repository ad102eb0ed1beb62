package org.fibnuma.core.port.pcap;

import org.fibnuma.core.IoFailure;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.port.PortException;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Frames of a capture file, one after the other: classic pcap of either byte order with micro- or nanoseconds, or
 * pcapng. Used by one thread. {@link #next} neither throws nor allocates (beside growing the list of interfaces): a
 * damaged file ends where the damage begins, and {@link #problem} says what it is.
 */
public final class PcapReader implements AutoCloseable
{
    /** Link type of Ethernet frames without FCS (LINKTYPE_ETHERNET of the tcpdump.org registry). */
    public static final int LINK_TYPE_ETHERNET = 1;

    /** Stands for a file whose frames each say their own: pcapng. */
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
     * @param file to read.
     * @return the reader, before the first frame.
     * @throws PortException with one line where there is no such file or it is no capture.
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
                throw new PortException(stream.problem() == null ?
                    file + " is no pcap or pcapng file" : file + " " + stream.problem());
            }
            return new PcapReader(file, stream, format);
        }
        catch (final IOException ex)
        {
            throw new PortException("cannot read " + file + ": " + IoFailure.reason(ex), ex);
        }
        finally
        {
            if (format == null && stream != null)
            {
                close(stream);
            }
        }
    }

    /**
     * Moves to the next frame.
     *
     * @return false at the end of the file or of what can be understood of it.
     */
    public boolean next()
    {
        return stream.problem() == null && format.next();
    }

    /**
     * How much of the frame the file has.
     *
     * @return bytes, 0 to 262,144.
     */
    public int capturedLength()
    {
        return format.capturedLength;
    }

    /**
     * How long the frame was on the wire, as the file says; more than {@link #capturedLength} where it was cut.
     *
     * @return bytes.
     */
    public long originalLength()
    {
        return format.originalLength;
    }

    /**
     * What kind of frames the whole file has.
     *
     * @return as {@link #linkType}, or {@link #LINK_TYPE_PER_FRAME}.
     */
    public int linkTypeOfFile()
    {
        return linkTypeOfFile;
    }

    /**
     * What kind of frame it is.
     *
     * @return a number of the tcpdump.org registry, such as {@link #LINK_TYPE_ETHERNET}.
     */
    public int linkType()
    {
        return format.linkType;
    }

    /**
     * Copies the frame.
     *
     * @param destination native address of room for {@link #capturedLength} bytes.
     */
    public void copyTo(final long destination)
    {
        FrameMemory.copy(stream.address(), destination, format.capturedLength);
    }

    /**
     * The file that is read.
     *
     * @return as it was opened.
     */
    public Path file()
    {
        return file;
    }

    /**
     * Why reading ended before the end of the file.
     *
     * @return one line with the name of the file, or null where nothing is wrong.
     */
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
            // Nothing was written; there is nothing to lose.
        }
    }
}
