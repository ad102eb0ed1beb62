package org.fibnuma.core.port.pcap;

import org.agrona.concurrent.OffsetEpochNanoClock;
import org.fibnuma.core.IoFailure;
import org.fibnuma.core.UserException;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortProvider;
import org.fibnuma.core.port.PortRequest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * Opens {@code pcap:IN[,OUT]}: receives the frames of the file IN and writes sent frames to the file OUT, which is
 * overwritten. Either may be empty ({@code pcap:,out.pcap}). IN must contain Ethernet frames.
 */
public final class PcapPortProvider implements PortProvider
{
    static final String SCHEME = "pcap";

    @Override
    public String scheme()
    {
        return SCHEME;
    }

    @Override
    public String whyFixed()
    {
        return "its files are read and written once, from the start of the router to its end";
    }

    @Override
    public Port open(final PortRequest request)
    {
        final int comma = request.device().indexOf(',');
        final String in = comma < 0 ? request.device() : request.device().substring(0, comma);
        final String out = comma < 0 ? "" : request.device().substring(comma + 1);
        if (in.isEmpty() && out.isEmpty())
        {
            throw new UserException("port " + request.name() + ": pcap: needs a file, such as pcap:in.pcap,out.pcap");
        }
        if (request.queueCount() != 1)
        {
            throw new UserException("port " + request.name() + ": pcap: serves one worker, not " +
                request.queueCount() + ": set workers = 1");
        }
        try
        {
            return open(request, in, out);
        }
        catch (final UserException | InvalidPathException ex)
        {
            throw new UserException("port " + request.name() + ": " + ex.getMessage(), ex);
        }
    }

    private static Port open(final PortRequest request, final String in, final String out)
    {
        requireDifferent(in, out);
        PcapReader reader = null;
        PcapWriter writer = null;
        boolean opened = false;
        try
        {
            reader = in.isEmpty() ? null : openEthernet(Path.of(in));
            writer = out.isEmpty() ? null : PcapWriter.create(Path.of(out), new OffsetEpochNanoClock());
            final Port port = new PcapPort(request, reader, writer);
            opened = true;
            return port;
        }
        finally
        {
            if (!opened && reader != null)
            {
                reader.close();
            }
        }
    }

    private static void requireDifferent(final String in, final String out)
    {
        try
        {
            if (!in.isEmpty() && !out.isEmpty() && Files.exists(Path.of(in)) && Files.exists(Path.of(out)) &&
                Files.isSameFile(Path.of(in), Path.of(out)))
            {
                throw new UserException("reading and writing the same file would destroy it: " + out);
            }
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot compare " + in + " and " + out + ": " + IoFailure.reason(ex), ex);
        }
    }

    private static PcapReader openEthernet(final Path file)
    {
        final PcapReader reader = PcapReader.open(file);
        if (reader.linkTypeOfFile() != PcapReader.LINK_TYPE_ETHERNET &&
            reader.linkTypeOfFile() != PcapReader.LINK_TYPE_PER_FRAME)
        {
            reader.close();
            throw new UserException(file + " contains frames of link type " + reader.linkTypeOfFile() +
                ", not Ethernet (" + PcapReader.LINK_TYPE_ETHERNET + ")");
        }
        return reader;
    }
}
