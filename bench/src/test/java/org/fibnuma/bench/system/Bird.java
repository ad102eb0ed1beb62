package org.fibnuma.bench.system;

import org.fibnuma.bench.lab.Frr;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** bird 2 on a host, with its files in a directory of the test's. */
final class Bird implements AutoCloseable
{
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Host host;
    private final Path config;
    private final Path socket;
    private ChildProcess process;

    Bird(final Host host, final Path directory)
    {
        this.host = host;
        this.config = directory.resolve("bird.conf");
        this.socket = directory.resolve("bird.ctl");
    }

    /** Starts bird with a configuration and waits for its socket. */
    void start(final String text, final String... options) throws IOException
    {
        Files.writeString(config, text);
        final List<String> command = new ArrayList<>(
            List.of("bird", "-f", "-c", config.toString(), "-s", socket.toString()));
        command.addAll(List.of(options));
        process = host.start(command.toArray(new String[0]));
        Frr.await(() -> Files.exists(socket) || !process.isAlive(), "bird's socket");
    }

    /** Gives the running bird another configuration. */
    void configure(final String text) throws IOException
    {
        Files.writeString(config, text);
        host.run("birdc", "-s", socket.toString(), "configure");
    }

    /** Kills bird (SIGKILL) and waits for its end. */
    void kill() throws IOException
    {
        process.kill();
        process.awaitExit(PATIENCE);
        close();
        Files.delete(socket);
    }

    @Override
    public void close()
    {
        if (process != null)
        {
            process.close();
            process = null;
        }
    }
}
