package org.fibnuma.bench.lab;

import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.service.netns.JavaProgram;
import org.fibnuma.fibnic.warmup.WarmUp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The router as a user runs it: a separate process in a {@link Host}, with a configuration file. */
public final class RouterProcess implements AutoCloseable
{
    /** JVM flags of a router whose speed is reported: both compilers, as the launcher has them, whatever tests have. */
    public static final List<String> BOTH_COMPILERS =
        List.of("-XX:TieredStopAtLevel=4", "-D" + WarmUp.BATCHES_PROPERTY + "=" + WarmUp.DEFAULT_BATCHES);

    private static final String MAIN_CLASS = "org.fibnuma.fibnic.command.FibnumaCommand";
    private static final String READY = "ready";
    private static final Duration END_PATIENCE = Duration.ofSeconds(60);

    private final Path configFile;
    private final ChildProcess process;

    private RouterProcess(final Path configFile, final ChildProcess process)
    {
        this.configFile = configFile;
        this.process = process;
    }

    /**
     * Returns the table {@code [router]} of a configuration.
     *
     * @param name     of the router.
     * @param settings further lines.
     * @return lines of TOML, each with a line end.
     */
    public static String table(final String name, final String... settings)
    {
        return Stream.concat(Stream.of("[router]", "name = \"" + name + "\""), Stream.of(settings))
            .map(line -> line + "\n").collect(Collectors.joining());
    }

    /**
     * Returns a table {@code [[port]]} of a configuration, for a port over AF_XDP.
     *
     * @param name   of the port.
     * @param device name of the interface.
     * @return lines of TOML, each with a line end.
     */
    public static String xdpPort(final String name, final String device)
    {
        return "[[port]]\nname = \"" + name + "\"\ndevice = \"xdp:" + device + "\"\n";
    }

    /**
     * Starts the router and waits until every port forwards.
     *
     * @param host     host that the router runs in.
     * @param config   the configuration as TOML.
     * @param patience longest time to wait.
     * @return the running router.
     * @throws UserException if the router does not become ready; the message contains its error lines.
     */
    public static RouterProcess start(final Host host, final String config, final Duration patience)
    {
        return start(host, config, patience, List.of());
    }

    /**
     * Starts the router as {@link #start(Host, String, Duration)} does.
     *
     * @param flags additional JVM flags.
     */
    public static RouterProcess start(
        final Host host, final String config, final Duration patience, final List<String> flags)
    {
        final Path configFile = write(config);
        return start(host, configFile, patience, JavaProgram.command(
            flags, MAIN_CLASS, "router", "-c", configFile.toString()));
    }

    /**
     * Starts the router of another clone by its launcher, which first builds what is missing there.
     *
     * @param host     host that the router runs in.
     * @param clone    top directory of the clone.
     * @param config   the configuration as TOML.
     * @param patience longest time to wait, also for the build.
     * @param flags    additional JVM flags.
     * @return the running router.
     * @throws UserException if the router does not become ready; the message contains its error lines.
     */
    public static RouterProcess startOfClone(
        final Host host, final Path clone, final String config, final Duration patience, final List<String> flags)
    {
        final Path configFile = write(config);
        return start(host, configFile, patience, "FIBNUMA_JAVA_OPTS=" + String.join(" ", flags),
            clone.resolve("fibnuma").toString(), "router", "-c", configFile.toString());
    }

    private static RouterProcess start(
        final Host host, final Path configFile, final Duration patience, final String... command)
    {
        final ChildProcess process = host.start(withDefaultSignals(command));
        final RouterProcess router = new RouterProcess(configFile, process);
        try
        {
            process.awaitLine(READY::equals, patience);
            return router;
        }
        catch (final UserException ex)
        {
            process.kill();
            router.close();
            throw new UserException("the router did not start: " + ex.getMessage(), ex);
        }
    }

    /** Restores the default signals: a shell's background job ignores SIGINT, and its child processes inherit that. */
    private static String[] withDefaultSignals(final String[] command)
    {
        return Stream.concat(Stream.of("env", "--default-signal=INT,QUIT"), Stream.of(command)).toArray(String[]::new);
    }

    private static Path write(final String config)
    {
        try
        {
            final Path file = Files.createTempFile("fibnuma-", ".toml");
            Files.writeString(file, config);
            return file;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot write the router's configuration", ex);
        }
    }

    /** Returns the id of the Java process itself. */
    public long pid()
    {
        return process.pid();
    }

    /** Returns the number of files that the router has open, sockets and XDP programs among them. */
    public long openFiles() throws IOException
    {
        try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(pid()), "fd")))
        {
            return files.count();
        }
    }

    /**
     * Returns the number of open files when it no longer changes. A connection that a client has closed is closed by
     * the router a little later, and files that it reads are open for a moment.
     *
     * @return the number that has not changed for a second, or the last one if it still changes after three minutes.
     * @throws IOException if the router has ended.
     */
    public long settledOpenFiles() throws IOException
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
        long count = openFiles();
        int equal = 0;
        while (equal < 100 && System.nanoTime() - deadlineNs < 0)
        {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            final long now = openFiles();
            equal = now == count ? equal + 1 : 0;
            count = now;
        }
        return count;
    }

    /** Returns whether the router still runs. */
    public boolean isAlive()
    {
        return process.isAlive();
    }

    /** Returns the lines of the router's standard error so far. */
    public List<String> errors()
    {
        return process.errors();
    }

    /** Kills the router (SIGKILL), which cannot clean up, and waits for its end. */
    public void kill()
    {
        process.kill();
        process.awaitExit(END_PATIENCE);
    }

    /** Ends the router by SIGTERM, waits for its end and returns its exit status. */
    public int terminate()
    {
        process.terminate();
        return awaitEnd();
    }

    /** Waits until the router has ended, by itself or by a signal from outside, and returns its exit status. */
    public int awaitEnd()
    {
        return process.awaitExit(END_PATIENCE);
    }

    /** Ends the router and removes its configuration file. */
    @Override
    public void close()
    {
        process.close();
        try
        {
            Files.deleteIfExists(configFile);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot remove " + configFile, ex);
        }
    }
}
