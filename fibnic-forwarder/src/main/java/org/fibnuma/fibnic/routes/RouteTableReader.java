package org.fibnuma.fibnic.routes;

import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.Ipv6Prefix;

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
 * Reads files with tables or with changes of routes, compressed with gzip or not. A line is {@code prefix next-hop}, of
 * which the next hop may be missing, or what {@code bgpdump -m} prints of table dumps and updates. Lines that begin
 * with {@code #} are comments.
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
     * Returns a reader of the lines of one peer, which skips and counts those of other peers; lines
     * {@code prefix next-hop} have no peer and are all read.
     *
     * @param address of the peer, as in the dump.
     * @return a reader.
     */
    public static RouteTableReader ofPeer(final String address)
    {
        return new RouteTableReader(address);
    }

    /**
     * Reads the IPv4 lines of a file.
     *
     * @param file compressed or not, detected by its first bytes.
     * @return its IPv4 routes and withdrawals in order; IPv6 lines are skipped and counted.
     * @throws UserException naming file, line and fault, where it cannot be read.
     */
    public RouteList read(final Path file)
    {
        final Ipv4Lines lines = new Ipv4Lines();
        read(file, lines);
        return lines.routes;
    }

    /**
     * Reads the IPv6 lines of a file.
     *
     * @param file compressed or not, detected by its first bytes.
     * @return its IPv6 routes and withdrawals in order; IPv4 lines are skipped and counted.
     * @throws UserException naming file, line and fault, where it cannot be read.
     */
    public Ipv6RouteList readIpv6(final Path file)
    {
        final Ipv6Lines lines = new Ipv6Lines();
        read(file, lines);
        return lines.routes;
    }

    /**
     * Reads all lines of a file. An IPv4 prefix can have an IPv6 next hop (RFC 8950).
     *
     * @param file     compressed or not, detected by its first bytes.
     * @param consumer receives every prefix with its next hop, in order; {@link IpAddress#NONE} for a line without a
     *                 next hop and for a withdrawal.
     * @throws UserException naming file, line and fault, where it cannot be read.
     */
    public static void forEach(final Path file, final BiConsumer<IpPrefix, IpAddress> consumer)
    {
        ofAllPeers().read(file, new AllLines(consumer));
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

    private static boolean isIpv6(final String text)
    {
        return text.indexOf(':') >= 0;
    }

    /** Adds the IPv4 routes of a file to a list. */
    private static final class Ipv4Lines implements RouteLineConsumer
    {
        private final RouteList routes = new RouteList();

        @Override
        public void announce(final String prefix, final String nextHop)
        {
            if (isIpv6(prefix) || isIpv6(nextHop))
            {
                routes.countSkippedIpv6();
                return;
            }
            final Ipv4Prefix network = Ipv4Prefix.parse(prefix);
            routes.addAnnouncement(
                network.address(), network.length(),
                nextHop.isEmpty() ? RouteList.NO_NEXT_HOP : Ipv4Address.parse(nextHop));
        }

        @Override
        public void withdraw(final String prefix)
        {
            if (isIpv6(prefix))
            {
                routes.countSkippedIpv6();
                return;
            }
            final Ipv4Prefix network = Ipv4Prefix.parse(prefix);
            routes.addWithdrawal(network.address(), network.length());
        }

        @Override
        public void skipPeer()
        {
            routes.countSkippedPeer();
        }
    }

    /** Adds the IPv6 routes of a file to a list. */
    private static final class Ipv6Lines implements RouteLineConsumer
    {
        private final Ipv6RouteList routes = new Ipv6RouteList();

        @Override
        public void announce(final String prefix, final String nextHop)
        {
            if (!isIpv6(prefix) || !nextHop.isEmpty() && !isIpv6(nextHop))
            {
                routes.countSkippedIpv4();
                return;
            }
            routes.addAnnouncement(
                Ipv6Prefix.parse(prefix), nextHop.isEmpty() ? Ipv6RouteList.NO_NEXT_HOP : Ipv6Address.parse(nextHop));
        }

        @Override
        public void withdraw(final String prefix)
        {
            if (!isIpv6(prefix))
            {
                routes.countSkippedIpv4();
                return;
            }
            routes.addWithdrawal(Ipv6Prefix.parse(prefix));
        }

        @Override
        public void skipPeer()
        {
            routes.countSkippedPeer();
        }
    }

    /** Passes the routes of both families to a consumer. */
    private record AllLines(BiConsumer<IpPrefix, IpAddress> consumer) implements RouteLineConsumer
    {
        @Override
        public void announce(final String prefix, final String nextHop)
        {
            consumer.accept(IpPrefix.parse(prefix), nextHop.isEmpty() ? IpAddress.NONE : IpAddress.parse(nextHop));
        }

        @Override
        public void withdraw(final String prefix)
        {
            consumer.accept(IpPrefix.parse(prefix), IpAddress.NONE);
        }

        @Override
        public void skipPeer()
        {
            // All peers are read.
        }
    }
}
