package org.fibnuma.core.service.netns;

import org.fibnuma.core.UserException;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A child process whose standard output and standard error are stored line by line. Any thread may use it. */
public final class ChildProcess implements AutoCloseable
{
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(5);

    private final String name;
    private final Process process;
    private final PrintStream input;
    private final Output output;
    private final Output errors;

    private ChildProcess(final String name, final Process process)
    {
        this.name = name;
        this.process = process;
        this.input = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        this.output = new Output(name + " stdout", process.getInputStream());
        this.errors = new Output(name + " stderr", process.getErrorStream());
    }

    /** Returns whether a directory of PATH, /usr/sbin or /sbin contains a program. */
    public static boolean isInstalled(final String program)
    {
        return Arrays.stream((System.getenv("PATH") + ":/usr/sbin:/sbin").split(":"))
            .anyMatch(directory -> new File(directory, program).canExecute());
    }

    /**
     * Starts a program with arguments.
     *
     * @throws UserException if it cannot be started.
     */
    public static ChildProcess start(final String... command)
    {
        try
        {
            return new ChildProcess(command[0], new ProcessBuilder(command).start());
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot start " + command[0] + ": " + ex.getMessage(), ex);
        }
    }

    /** Starts a program that the kernel kills when the calling thread ends, also if this process is killed. */
    public static ChildProcess startTied(final String... command)
    {
        return start(tied(command));
    }

    /** Returns a command line whose program the kernel kills when the thread that started it ends. */
    static String[] tied(final String... command)
    {
        return concat(new String[] {"setpriv", "--pdeathsig", "KILL"}, command);
    }

    /**
     * Runs a program to its end and returns its standard output.
     *
     * @throws UserException if it cannot be started, ends with another status than 0, or takes longer than
     * {@code patience}. The message has the first line of its standard error.
     */
    public static String run(final Duration patience, final String... command)
    {
        try (ChildProcess child = start(command))
        {
            child.endInput();
            final int status = child.awaitExit(patience);
            if (status != 0)
            {
                throw new UserException(String.join(" ", command) + " failed with status " + status + ": " +
                    child.errors().stream().findFirst().orElse("without a message"));
            }
            return String.join("\n", child.output());
        }
    }

    /** Returns the process id. A program that nsenter or setpriv starts has their process id. */
    public long pid()
    {
        return process.pid();
    }

    /** Returns whether the program runs. */
    public boolean isAlive()
    {
        return process.isAlive();
    }

    /** Writes a line, given without its end, to the standard input of the program. */
    public void send(final String line)
    {
        input.println(line);
    }

    /** Closes the standard input of the program. */
    public void endInput()
    {
        input.close();
    }

    /**
     * Waits for a line of the standard output that matches. Lines that an earlier call has tested are not tested again.
     *
     * @throws UserException if the program ends or the time {@code patience} is over before. The message has its
     * standard error.
     */
    public String awaitLine(final Predicate<String> wanted, final Duration patience)
    {
        final String line = output.await(wanted, patience);
        if (line != null)
        {
            return line;
        }
        errors.awaitEnd(process.isAlive() ? Duration.ZERO : CLOSE_PATIENCE);
        final String complaint = String.join(" | ", errors());
        throw new UserException(name + (process.isAlive() ? " is silent" : " ended") +
            (complaint.isEmpty() ? "" : ": " + complaint));
    }

    /**
     * Waits until the program has ended and returns its exit status.
     *
     * @throws UserException if the program runs longer than {@code patience}.
     */
    public int awaitExit(final Duration patience)
    {
        try
        {
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS))
            {
                throw new UserException(name + " still runs after " + patience.toSeconds() + " s");
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new UserException("interrupted while " + name + " ran", ex);
        }
        output.awaitEnd(CLOSE_PATIENCE);
        errors.awaitEnd(CLOSE_PATIENCE);
        return process.exitValue();
    }

    /** Returns a copy of the lines of standard output so far. */
    public List<String> output()
    {
        return output.lines();
    }

    /** Returns a copy of the lines of standard error so far. */
    public List<String> errors()
    {
        return errors.lines();
    }

    /** Sends SIGTERM. The output is read further; Process.destroy would close it. */
    public void terminate()
    {
        process.toHandle().destroy();
    }

    /** Sends SIGKILL. */
    public void kill()
    {
        process.destroyForcibly();
    }

    /**
     * Sends SIGTERM, waits up to 5 s, then sends SIGKILL. A program has this time also where the calling thread was
     * interrupted before; an interrupt meanwhile ends it.
     */
    @Override
    public void close()
    {
        boolean isInterrupted = Thread.interrupted();
        process.destroy();
        try
        {
            if (!process.waitFor(CLOSE_PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
            {
                process.destroyForcibly().waitFor();
            }
        }
        catch (final InterruptedException ex)
        {
            process.destroyForcibly();
            isInterrupted = true;
        }
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }

    static String[] concat(final String[] first, final String... second)
    {
        final String[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    private static final class Output
    {
        private final List<String> lines = new ArrayList<>();
        private int passed;
        private boolean ended;

        Output(final String name, final InputStream stream)
        {
            final Thread reader = new Thread(() -> read(stream), name);
            reader.setDaemon(true);
            reader.start();
        }

        private void read(final InputStream stream)
        {
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8)))
            {
                for (String line = reader.readLine(); line != null; line = reader.readLine())
                {
                    add(line);
                }
            }
            catch (final IOException | UncheckedIOException ignore)
            {
                // The pipe breaks when the program is killed.
            }
            finally
            {
                end();
            }
        }

        private synchronized void add(final String line)
        {
            lines.add(line);
            notifyAll();
        }

        private synchronized void end()
        {
            ended = true;
            notifyAll();
        }

        synchronized List<String> lines()
        {
            return List.copyOf(lines);
        }

        synchronized String await(final Predicate<String> wanted, final Duration patience)
        {
            final long deadline = System.nanoTime() + patience.toNanos();
            while (true)
            {
                while (passed < lines.size())
                {
                    final String line = lines.get(passed++);
                    if (wanted.test(line))
                    {
                        return line;
                    }
                }
                if (ended || !waitUntil(deadline))
                {
                    return null;
                }
            }
        }

        synchronized void awaitEnd(final Duration patience)
        {
            final long deadline = System.nanoTime() + patience.toNanos();
            while (!ended && waitUntil(deadline))
            {
                passed = Math.min(passed, lines.size());
            }
        }

        private boolean waitUntil(final long deadline)
        {
            final long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (millis <= 0)
            {
                return false;
            }
            try
            {
                wait(millis);
                return true;
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }
}
