package org.fibnuma.bench.nic;

import org.fibnuma.core.UserException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A command that runs in a {@link Guest}. Its output is a file that guest and host share. Used by one thread. */
public final class GuestProcess
{
    private static final long POLL_NS = Duration.ofMillis(20).toNanos();

    private final Guest guest;
    private final String command;
    private final Path files;
    private int seen;

    GuestProcess(final Guest guest, final String command, final Path files)
    {
        this.guest = guest;
        this.command = command;
        this.files = files;
    }

    /** Returns the complete lines of standard output and standard error so far. */
    public List<String> output()
    {
        final String text = read(".out");
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    /**
     * Waits for a line of the output. Lines that an earlier call has tested are not tested again.
     *
     * @return the first line that matches.
     * @throws UserException with the whole output if the command ends or the time is over before.
     */
    String awaitLine(final Predicate<String> wanted, final Duration patience)
    {
        final String[] found = new String[1];
        await(() ->
        {
            // Read first: what a process writes before its end is seen.
            final boolean ended = hasEnded();
            final List<String> lines = output();
            while (found[0] == null && seen < lines.size())
            {
                final String line = lines.get(seen++);
                found[0] = wanted.test(line) ? line : null;
            }
            return found[0] != null || ended;
        }, patience);
        if (found[0] == null)
        {
            throw failure(hasEnded() ? "has ended with status " + read(".status").trim() : "is silent");
        }
        return found[0];
    }

    /** Waits for a line of the output that contains a text, also among lines that were tested before. */
    void awaitText(final String text, final Duration patience)
    {
        await(() -> hasEnded() || output().stream().anyMatch(line -> line.contains(text)), patience);
        if (output().stream().noneMatch(line -> line.contains(text)))
        {
            throw failure("has not written \"" + text + "\"");
        }
    }

    /**
     * Waits for the end.
     *
     * @return the exit status; 128 and the number of the signal that ended it.
     * @throws UserException with the whole output if the command runs longer.
     */
    public int awaitExit(final Duration patience)
    {
        await(this::hasEnded, patience);
        if (!hasEnded())
        {
            throw failure("still runs after " + patience.toSeconds() + " s");
        }
        return Integer.parseInt(read(".status").trim());
    }

    /** Returns whether the command has ended. */
    boolean hasEnded()
    {
        return Files.exists(file(".status")) || !guest.isUp();
    }

    /** Sends a signal, such as {@code TERM} or {@code KILL}. */
    public void signal(final String name)
    {
        guest.run("kill -" + name + " " + pid());
    }

    /** Returns the process id in the guest. */
    int pid()
    {
        await(() -> Files.exists(file(".pid")) && read(".pid").endsWith("\n"), Guest.PATIENCE);
        return Integer.parseInt(read(".pid").trim());
    }

    UserException failure(final String text)
    {
        return new UserException("in the guest, " + command + " " + text + ":\n" + read(".out") +
            (guest.isUp() ? "" : "\nthe guest has ended: " + guest.lastWords()));
    }

    private static void await(final BooleanSupplier condition, final Duration patience)
    {
        final long deadline = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() < deadline)
        {
            LockSupport.parkNanos(POLL_NS);
        }
    }

    private Path file(final String suffix)
    {
        return files.resolveSibling(files.getFileName() + suffix);
    }

    private String read(final String suffix)
    {
        try
        {
            final Path file = file(suffix);
            return Files.exists(file) ? new String(Files.readAllBytes(file), UTF_8) : "";
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
