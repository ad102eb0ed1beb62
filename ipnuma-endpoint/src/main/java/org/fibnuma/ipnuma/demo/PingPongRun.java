package org.fibnuma.ipnuma.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.JavaProgram;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One ping-pong as a user runs it, with a server process and a client process. The client's JSON is the result.
 *
 * @param name   for display.
 * @param server options of the server.
 * @param client options of the client.
 * @param limit  maximum time of the measurement in seconds.
 */
public record PingPongRun(String name, List<String> server, List<String> client, int limit)
{
    private static final String MAIN_CLASS = "org.fibnuma.ipnuma.pingpong.PingPongCommand";
    private static final Duration START_PATIENCE = Duration.ofSeconds(60);
    /** Time in addition to twice the limit, for the start and end of a JVM on a loaded machine. */
    private static final int END_PATIENCE_SECONDS = 60;

    /**
     * Runs both processes, and ends both in every case.
     *
     * @param place      of the two hosts.
     * @param size       of the message in bytes.
     * @param iterations measured round trips, or fewer if the limit is reached.
     * @return output of {@code pingpong client --json}.
     * @throws UserException if one of them fails.
     */
    public JsonNode run(final PingPongPlace place, final int size, final long iterations)
    {
        try (ChildProcess serving = place.startServer(command("server", server, size)))
        {
            serving.awaitLine("ready"::equals, START_PATIENCE);
            final List<String> options = new ArrayList<>(client);
            options.addAll(List.of("--json", "--iterations", Long.toString(iterations),
                "--limit-seconds", Integer.toString(limit)));
            try (ChildProcess counting = place.startClient(command("client", options, size)))
            {
                final int status = counting.awaitExit(Duration.ofSeconds(2L * limit + END_PATIENCE_SECONDS));
                if (status != 0)
                {
                    throw new UserException(name + ": " + String.join(" | ", counting.errors()));
                }
                return new ObjectMapper().readTree(String.join("\n", counting.output()));
            }
            catch (final IOException ex)
            {
                throw new UserException(name + ": the client printed no JSON: " + ex.getMessage(), ex);
            }
        }
    }

    private static String[] command(final String end, final List<String> options, final int size)
    {
        final List<String> arguments = new ArrayList<>(List.of(end, "--size", Integer.toString(size)));
        arguments.addAll(options);
        return JavaProgram.command(MAIN_CLASS, arguments.toArray(new String[0]));
    }
}
