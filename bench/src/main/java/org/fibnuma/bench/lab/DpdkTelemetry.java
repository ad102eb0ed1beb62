package org.fibnuma.bench.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.core.UserException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads the statistics of a running DPDK process from its telemetry socket. The drivers count them, not the program.
 * Closing removes the socket and its directory, which DPDK does not remove.
 */
public final class DpdkTelemetry implements AutoCloseable
{
    private static final Path RUNTIME = Path.of("/var/run/dpdk");
    private static final int AF_UNIX = 1;
    private static final int SOCK_SEQPACKET = 5;
    /** Size of {@code struct sockaddr_un}: family and path (sys/un.h). */
    private static final int ADDRESS_LENGTH = 110;
    private static final int PATH_OFFSET = 2;
    private static final int REPLY_ROOM = 1 << 16;

    private final LibC libC = LibC.get();
    private final Path directory;
    private final int fd;

    private DpdkTelemetry(final Path directory, final Path socket)
    {
        this.directory = directory;
        this.fd = SystemCallException.check(libC.socket(AF_UNIX, SOCK_SEQPACKET, 0), "socket");
        try (StructMemory address = new StructMemory(ADDRESS_LENGTH))
        {
            address.putShort(0, AF_UNIX).putString(PATH_OFFSET, socket.toString(), ADDRESS_LENGTH - PATH_OFFSET);
            SystemCallException.check(libC.connect(fd, address.address(), ADDRESS_LENGTH), "connect to " + socket);
        }
        receive();
    }

    /**
     * Connects to a process.
     *
     * @param filePrefix EAL option {@code --file-prefix} that the process was started with.
     * @return the connection; the caller closes it.
     * @throws UserException if the process has no telemetry socket.
     */
    public static DpdkTelemetry connect(final String filePrefix)
    {
        final Path directory = RUNTIME.resolve(filePrefix);
        try (DirectoryStream<Path> sockets = Files.newDirectoryStream(directory, "dpdk_telemetry.v2*"))
        {
            for (final Path socket : sockets)
            {
                return new DpdkTelemetry(directory, socket);
            }
        }
        catch (final IOException ex)
        {
            throw new UserException("no telemetry in " + directory + ": " + ex.getMessage(), ex);
        }
        throw new UserException("no telemetry socket in " + directory);
    }

    /**
     * Reads a counter of a port.
     *
     * @param port    DPDK's number of the port.
     * @param counter DPDK's name of the counter, such as {@code opackets}.
     * @return the count and the time at which the answer arrived.
     */
    public Reading read(final int port, final String counter)
    {
        final byte[] command = ("/ethdev/stats," + port).getBytes(StandardCharsets.US_ASCII);
        try (StructMemory request = new StructMemory(command.length))
        {
            request.putBytes(0, command);
            SystemCallException.check(
                (int)libC.send(fd, request.address(), command.length, 0), "request the statistics of DPDK");
        }
        final String reply = receive();
        // The time is taken before the answer is parsed: in a new process the first parse takes a quarter of a second.
        final long nanos = System.nanoTime();
        try
        {
            final JsonNode value = new ObjectMapper().readTree(reply).path("/ethdev/stats").path(counter);
            if (!value.isNumber())
            {
                throw new UserException("DPDK does not report " + counter + ": " + reply);
            }
            return new Reading(value.asLong(), nanos);
        }
        catch (final IOException ex)
        {
            throw new UserException("DPDK answers " + reply, ex);
        }
    }

    private String receive()
    {
        try (StructMemory reply = new StructMemory(REPLY_ROOM))
        {
            final long length = libC.recv(fd, reply.address(), REPLY_ROOM, 0);
            if (length <= 0)
            {
                throw new UserException("DPDK's telemetry has ended");
            }
            return new String(reply.getBytes(0, (int)length), StandardCharsets.UTF_8);
        }
    }

    /**
     * A counter at a point in time.
     *
     * @param count value of the counter.
     * @param nanos {@link System#nanoTime()} when the answer arrived.
     */
    public record Reading(long count, long nanos)
    {
        /**
         * Returns the rate since an earlier sample.
         *
         * @param before earlier sample of the same counter.
         * @return millions a second.
         */
        public double rateSince(final Reading before)
        {
            return 1e3 * (count - before.count) / (nanos - before.nanos);
        }
    }

    /** Closes the connection and removes the socket and the directory of the process. */
    @Override
    public void close()
    {
        libC.close(fd);
        remove(directory);
    }

    /**
     * Removes the socket and the directory of a process to which no connection was made.
     *
     * @param filePrefix EAL option {@code --file-prefix} that the process was started with.
     */
    public static void remove(final String filePrefix)
    {
        remove(RUNTIME.resolve(filePrefix));
    }

    private static void remove(final Path directory)
    {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory))
        {
            for (final Path file : files)
            {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(directory);
        }
        catch (final IOException ignore)
        {
            // Another process has removed it.
        }
    }
}
