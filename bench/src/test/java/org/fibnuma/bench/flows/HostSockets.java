package org.fibnuma.bench.flows;

import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Sockets of a host, as the commands of {@code flows/sockets.py} open and use them. Closes when its thread ends. */
final class HostSockets implements AutoCloseable
{
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String FAILED = "failed: ";

    private final Path script;
    private final ChildProcess process;

    HostSockets(final Host host)
    {
        script = extractScript();
        process = host.start("/usr/bin/python3", "-u", script.toString());
        process.awaitLine("ready"::equals, PATIENCE);
    }

    private static Path extractScript()
    {
        try (InputStream resource = HostSockets.class.getResourceAsStream("/flows/sockets.py"))
        {
            final Path file = Files.createTempFile("fibnuma-sockets-", ".py");
            Files.write(file, resource.readAllBytes());
            return file;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Returns the answer to a command, which does not fail. */
    String ask(final String command)
    {
        process.send(command);
        final String answer = process.awaitLine(line -> true, PATIENCE);
        if (answer.startsWith(FAILED))
        {
            throw new UserException(answer);
        }
        return answer;
    }

    /** Returns the number of datagrams that the bound socket has sent. */
    long sent()
    {
        return Long.parseLong(ask("counts").split(" ")[0]);
    }

    /** Returns the number of datagrams that the bound socket has received. */
    long received()
    {
        return Long.parseLong(ask("counts").split(" ")[1]);
    }

    @Override
    public void close()
    {
        process.kill();
        process.close();
        try
        {
            Files.deleteIfExists(script);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
