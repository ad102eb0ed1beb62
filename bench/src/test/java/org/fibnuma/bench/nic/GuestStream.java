package org.fibnuma.bench.nic;

import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * UDP packets at a fixed rate from one host at a {@link Guest} to another one, and the times at which they arrive,
 * as the receiving kernel stamps them. Used by one thread.
 */
final class GuestStream implements AutoCloseable
{
    /** The longest gap is exact to twice the time between two packets. */
    private static final int PACKETS_PER_SECOND = 500;
    private static final int FRAME_BYTES = 60;
    private static final long POLL_NS = Duration.ofMillis(20).toNanos();

    private final Path script;
    private final ChildProcess receiver;
    private final ChildProcess sender;

    private GuestStream(final Path script, final ChildProcess receiver, final ChildProcess sender)
    {
        this.script = script;
        this.receiver = receiver;
        this.sender = sender;
    }

    /**
     * Starts to send from device h0 of one host to 10.0.1.2, device h0 of the other host.
     *
     * @param routerMac MAC address of the router's port to the sender.
     */
    static GuestStream start(final Host from, final String routerMac, final Host to)
    {
        final Path script = script();
        final ChildProcess receiver = to.start("tcpdump", "-i", "h0", "-Q", "in", "-n", "-tt", "-l", "-q",
            "--immediate-mode", "udp dst port 4791");
        final ChildProcess sender = from.start("/usr/bin/python3", script.toString(), "h0", "10.0.1.2", routerMac,
            Integer.toString(FRAME_BYTES), Integer.toString(PACKETS_PER_SECOND), "0");
        return new GuestStream(script, receiver, sender);
    }

    /** Writes the sender's program to a temporary file, which the caller deletes. */
    static Path script()
    {
        try (InputStream resource = GuestStream.class.getResourceAsStream("/qemu/stream.py"))
        {
            return Files.write(Files.createTempFile("fibnuma-stream-", ".py"), resource.readAllBytes());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Returns how many packets have arrived. */
    int arrived()
    {
        return receiver.output().size();
    }

    /**
     * Waits until more packets have arrived.
     *
     * @param more number of packets beyond those that have arrived now.
     * @throws UserException if they have not after {@link Guest#PATIENCE}.
     */
    void await(final int more)
    {
        final int wanted = arrived() + more;
        final long deadline = System.nanoTime() + Guest.PATIENCE.toNanos();
        while (arrived() < wanted)
        {
            if (System.nanoTime() > deadline)
            {
                throw new UserException("of " + more + " packets more only " + (more - wanted + arrived()) +
                    " have arrived: " + sender.errors() + receiver.errors());
            }
            LockSupport.parkNanos(POLL_NS);
        }
    }

    /**
     * Returns the longest time between two packets that followed one another.
     *
     * @param first index of the first packet to look at, from 0.
     * @param end   index behind the last one.
     * @return the time in milliseconds.
     */
    long longestGapMs(final int first, final int end)
    {
        final List<String> lines = receiver.output();
        double longest = 0;
        for (int i = first + 1; i < end; i++)
        {
            longest = Math.max(longest, seconds(lines.get(i)) - seconds(lines.get(i - 1)));
        }
        return Math.round(longest * 1e3);
    }

    private static double seconds(final String line)
    {
        return Double.parseDouble(line.substring(0, line.indexOf(' ')));
    }

    @Override
    public void close()
    {
        sender.kill();
        sender.close();
        receiver.close();
        try
        {
            Files.delete(script);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
