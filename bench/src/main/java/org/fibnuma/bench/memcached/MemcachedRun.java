package org.fibnuma.bench.memcached;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.JavaProgram;
import org.fibnuma.ipnuma.demo.PingPongPlace;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One measurement: a server and a client, processes of their own.
 *
 * @param name      of the server in results.
 * @param peer      name of the measurement that its GETs are compared with.
 * @param place     where both run.
 * @param server    program and arguments of the server.
 * @param saysReady whether the server prints a line when it listens.
 * @param client    first arguments of {@link ClientProgram}.
 */
record MemcachedRun(
    String name, String peer, PingPongPlace place, String[] server, boolean saysReady, List<String> client)
{
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    /** Milliseconds for a SET and a GET, each once more before the first size: more than they take in the mean. */
    private static final long COMMANDS_MS = 4;

    /**
     * Runs both, and ends both whatever happens.
     *
     * @param sizes    of values in bytes.
     * @param commands of a run.
     * @param runs     of SET and of GET for each size.
     * @param figures  gets those of each size as soon as they are there.
     * @throws UserException if one of the two fails.
     */
    void run(final List<Integer> sizes, final int commands, final int runs, final Consumer<JsonNode> figures)
    {
        try (ChildProcess serving = place.startServer(server))
        {
            if (saysReady)
            {
                serving.awaitLine(line -> line.startsWith("ready"), PATIENCE);
            }
            try (ChildProcess asking = place.startClient(command(sizes, commands, runs)))
            {
                for (int i = 0; i < sizes.size(); i++)
                {
                    figures.accept(read(asking.awaitLine(
                        line -> line.startsWith("{"), PATIENCE.plusMillis((runs + 1L) * commands * COMMANDS_MS))));
                }
                // It ends by itself, and releases its endpoint.
                asking.awaitExit(PATIENCE);
            }
        }
    }

    private String[] command(final List<Integer> sizes, final int commands, final int runs)
    {
        final String text = sizes.stream().map(Object::toString).collect(Collectors.joining(","));
        return JavaProgram.command(ClientProgram.class.getName(), Stream.concat(
            client.stream(), Stream.of(text, Integer.toString(commands), Integer.toString(runs)))
            .toArray(String[]::new));
    }

    private JsonNode read(final String line)
    {
        try
        {
            return new ObjectMapper().readTree(line);
        }
        catch (final JsonProcessingException ex)
        {
            throw new UserException("the client of \"" + name + "\" prints " + line, ex);
        }
    }
}
