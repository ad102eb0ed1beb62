package org.fibnuma.fibnic.routes;

import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import java.util.zip.GZIPInputStream;

/**
 * Reads tables and traces of changes: lines {@code prefix next-hop} (the next hop may be missing, lines from {@code #}
 * on are comments) or what {@code bgpdump -m} prints of table dumps and updates; compressed with gzip or not.
 */
public final class RouteTableReader
{
    private static final int GZIP_MAGIC = 0x1F8B;
    private static final int BUFFER_BYTES = 1 << 16;

    private final String peer;

    private RouteTableReader(final String peer)
    {
        this.peer = peer;
    }

    /** Returns a reader of the lines of all peers. */
    public static RouteTableReader ofAllPeers()
    {
        return new RouteTableReader(null);
    }

    /**
     * Returns a reader of the lines of one peer, which counts the others; lines {@code prefix next-hop} have no peer
     * and are all read.
     *
     * @param address of the peer, as in the dump.
     * @return a reader.
     */
    public static RouteTableReader ofPeer(final String address)
    {
        return new RouteTableReader(address);
    }

    /**
     * Reads a whole file.
     *
     * @param file compressed or not, detected by its first bytes.
     * @return its IPv4 routes and withdrawals in order; IPv6 lines are skipped and counted.
     * @throws UserException naming file, line and fault, where it cannot be read.
     */
    public RouteList read(final Path file)
    {
        final Ipv4RouteLines lines = new Ipv4RouteLines();
        read(file, lines);
        return lines.routes();
    }

    /**
     * Reads a whole file.
     *
     * @param file compressed or not, detected by its first bytes.
     * @return its IPv6 routes and withdrawals in order; IPv4 lines are skipped and counted.
     * @throws UserException naming file, line and fault, where it cannot be read.
     */
    public Ipv6RouteList readIpv6(final Path file)
    {
        final Ipv6RouteLines lines = new Ipv6RouteLines();
        read(file, lines);
        return lines.routes();
    }

    /**
     * Reads a whole file with routes of both families. An IPv4 prefix can have an IPv6 next hop (RFC 8950).
     *
     * @param file     compressed or not, detected by its first bytes.
     * @param consumer receives every prefix with its next hop, in order; with {@link IpAddress#NONE} where a line has
     *                 no next hop, and for withdrawals.
     * @throws UserException naming file, line and fault, where it cannot be read.
     */
    public static void forEach(final Path file, final BiConsumer<IpPrefix, IpAddress> consumer)
    {
        ofAllPeers().read(file, new RouteLines(consumer));
    }

    private void read(final Path file, final RouteLineConsumer routes)
    {
        try (InputStream raw = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
            InputStream plain = isCompressed(raw) ? new GZIPInputStream(raw, BUFFER_BYTES) : raw;
            BufferedReader lines = new BufferedReader(new InputStreamReader(plain, StandardCharsets.US_ASCII)))
        {
            readLines(file, lines, routes);
        }
        catch (final NoSuchFileException ex)
        {
            throw new UserException(file + ": no such file");
        }
        catch (final IOException ex)
        {
            throw new UserException(file + ": cannot be read: " + ex.getMessage());
        }
    }

    private void readLines(final Path file, final BufferedReader lines, final RouteLineConsumer routes)
        throws IOException
    {
        final RouteLineParser parser = new RouteLineParser(peer, routes);
        int number = 1;
        for (String line = lines.readLine(); line != null; line = lines.readLine())
        {
            try
            {
                parser.parse(line);
            }
            catch (final IllegalArgumentException ex)
            {
                throw new UserException(file + ":" + number + ": " + ex.getMessage());
            }
            number++;
        }
    }

    private static boolean isCompressed(final InputStream raw) throws IOException
    {
        raw.mark(Short.BYTES);
        final int magic = raw.read() << 8 | raw.read();
        raw.reset();
        return magic == GZIP_MAGIC;
    }
}
