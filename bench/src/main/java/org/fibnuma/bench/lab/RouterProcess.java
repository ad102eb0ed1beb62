package org.fibnuma.bench.lab;

import org.fibnuma.core.UserException;
import org.fibnuma.core.netns.ChildProcess;
import org.fibnuma.core.netns.Host;
import org.fibnuma.core.netns.JavaProgram;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The router as a user runs it: a process of its own in a {@link Host}, with a configuration file. */
public final class RouterProcess implements AutoCloseable
{
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
     * Starts the router and waits until every port forwards.
     *
     * @param host     that it runs in.
     * @param config   the configuration as TOML.
     * @param patience how long it may take.
     * @return the running router.
     * @throws UserException where it does not get ready: with what it complained.
     */
    public static RouterProcess start(final Host host, final String config, final Duration patience)
    {
        return start(host, config, patience, List.of());
    }

    /**
     * As {@link #start(Host, String, Duration)}, with some flags more for the JVM.
     *
     * @param host     that it runs in.
     * @param config   the configuration as TOML.
     * @param patience how long it may take.
     * @param flags    for the JVM.
     * @return the running router.
     * @throws UserException where it does not get ready: with what it complained.
     */
    public static RouterProcess start(
        final Host host, final String config, final Duration patience, final List<String> flags)
    {
        final Path configFile = write(config);
        final ChildProcess process = host.start(withDefaultSignals(
            JavaProgram.command(flags, MAIN_CLASS, "router", "-c", configFile.toString())));
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

    /** A shell's background job ignores SIGINT, and so would every process that is started from it. */
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

    /**
     * Its process id.
     *
     * @return of the Java process itself.
     */
    public long pid()
    {
        return process.pid();
    }

    /**
     * Whether it still runs.
     *
     * @return false after its end.
     */
    public boolean isAlive()
    {
        return process.isAlive();
    }

    /**
     * What it complained so far.
     *
     * @return lines of its standard error.
     */
    public List<String> errors()
    {
        return process.errors();
    }

    /** Ends it without a chance to clean up (SIGKILL) and waits for that. */
    public void kill()
    {
        process.kill();
        process.awaitExit(END_PATIENCE);
    }

    /**
     * Asks it to end (SIGTERM) and waits for that.
     *
     * @return its exit status.
     */
    public int terminate()
    {
        process.terminate();
        return awaitEnd();
    }

    /**
     * Waits until it has ended by itself or by a signal that it was sent.
     *
     * @return its exit status.
     */
    public int awaitEnd()
    {
        return process.awaitExit(END_PATIENCE);
    }

    /** Ends it and removes its configuration file. */
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
