package org.fibnuma.bench.stream;

import org.fibnuma.bench.lab.ProgramOutput;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.JavaProgram;
import org.fibnuma.ipnuma.demo.PingPongPlace;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One measurement over one transport: a server and a client, processes of their own.
 *
 * @param program main class of both.
 * @param size    bytes of a message of the echo.
 * @param place   where they run.
 * @param server  transport of the server, such as {@code tcp 127.0.0.1:9000}.
 * @param client  transport of the client.
 * @param limit   seconds of the warm-up and of the measurement.
 */
record StreamRun(
    String program, int size, PingPongPlace place, List<String> server, List<String> client, int limit)
{
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /**
     * Runs both, and ends both whatever happens.
     *
     * @return what the client prints.
     * @throws org.fibnuma.core.UserException if one of them fails.
     */
    String run()
    {
        final int cores = Runtime.getRuntime().availableProcessors();
        try (ChildProcess serving = place.startServer(command("server", Math.max(0, cores - 2), server)))
        {
            serving.awaitLine("ready"::equals, PATIENCE);
            try (ChildProcess counting = place.startClient(command("client", cores - 1, client)))
            {
                final String result =
                    ProgramOutput.await(counting, PATIENCE.plusSeconds(2L * limit), String.join(" ", client));
                // The server ends by itself and releases its endpoint.
                serving.awaitExit(PATIENCE);
                return result;
            }
        }
    }

    private String[] command(final String end, final int core, final List<String> transport)
    {
        final List<String> arguments = new ArrayList<>(
            List.of(end, Integer.toString(core), Integer.toString(limit), Integer.toString(size)));
        arguments.addAll(transport);
        return JavaProgram.command(program, arguments.toArray(new String[0]));
    }
}
