package org.fibnuma.bench.pingpong;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.bench.lab.Waiting;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.ipnuma.demo.PingPongPlace;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * RDMA over the veth pair: perftest's latency tests on the kernel's software implementation of RoCE (rdma_rxe). Both
 * programs poll, each on a core of its own.
 */
enum SoftRoce
{
    /** RDMA WRITE to memory that the other end polls. */
    WRITE("rdma-write", "ib_write_lat"),
    /** SEND to a posted receive request. */
    SEND("rdma-send", "ib_send_lat");

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String PREFIX = "fibnuma" + ProcessHandle.current().pid();
    /** Round trips from which the number for a run of the wanted length is calculated. */
    private static final long TRIAL = 1000;
    private static final double MICROS = 1e6;
    /** Columns: bytes, iterations, t_min, t_max, t_typical (the median), t_avg, t_stdev, 99 %, 99.9 %. */
    private static final int MEDIAN_COLUMN = 4;
    private static final int MEAN_COLUMN = 5;
    private static final int P999_COLUMN = 8;
    private static final int COLUMNS = 9;

    private final String transport;
    private final String program;

    SoftRoce(final String transport, final String program)
    {
        this.transport = transport;
        this.program = program;
    }

    /** Returns the verb of a transport, or null if it is none of RDMA. */
    static SoftRoce of(final String transport)
    {
        return Stream.of(values()).filter(verb -> verb.transport.equals(transport)).findFirst().orElse(null);
    }

    String transport()
    {
        return transport;
    }

    /** Returns why it cannot be measured between the hosts of a place with interfaces, or null. */
    String obstacle(final PingPongPlace place)
    {
        if (!ChildProcess.isInstalled(program))
        {
            return "needs perftest: apt-get install perftest ibverbs-providers";
        }
        try (ChildProcess link = place.startServer(addLink("probe", PingPongPlace.SERVER_DEVICE)))
        {
            if (link.awaitExit(PATIENCE) != 0)
            {
                return "needs the kernel module rdma_rxe: " + String.join(" | ", link.errors());
            }
        }
        deleteLink("probe");
        return null;
    }

    /**
     * Measures.
     *
     * @param place      of the two hosts.
     * @param size       of the message in bytes.
     * @param iterations measured round trips, or as many as fit the limit.
     * @param limit      of the measurement in seconds.
     * @return the fields of {@code pingpong client --json} that a comparison reads.
     * @throws UserException if a program fails.
     */
    JsonNode run(final PingPongPlace place, final int size, final long iterations, final int limit)
    {
        run(place.startServer(addLink("server", PingPongPlace.SERVER_DEVICE)));
        run(place.startClient(addLink("client", PingPongPlace.CLIENT_DEVICE)));
        try
        {
            final JsonNode trial = measure(place, size, Math.min(iterations, TRIAL), limit);
            final long inLimit = (long)(limit * trial.get("loopsPerSecond").asDouble());
            return measure(place, size, Math.min(iterations, Math.max(TRIAL, inLimit)), limit);
        }
        finally
        {
            deleteLink("server");
            deleteLink("client");
        }
    }

    private static String[] addLink(final String name, final String device)
    {
        return new String[] {"rdma", "link", "add", PREFIX + name, "type", "rxe", "netdev", device};
    }

    private static void deleteLink(final String name)
    {
        ChildProcess.run(PATIENCE, "rdma", "link", "delete", PREFIX + name);
    }

    private JsonNode measure(final PingPongPlace place, final int size, final long iterations, final int limit)
    {
        final int cores = Runtime.getRuntime().availableProcessors();
        final Duration patience = PATIENCE.plusSeconds(4L * limit);
        final String address = place.socketAddress();
        try (ChildProcess serving = place.startServer(command("server", cores - 2, size, iterations)))
        {
            // The server says when it listens, but only at its end: its output is not a terminal.
            final StringBuilder refused = new StringBuilder();
            final JsonNode[] result = new JsonNode[1];
            Waiting.until(() ->
            {
                try (ChildProcess counting = place.startClient(
                    command("client", cores - 1, size, iterations, address.substring(0, address.indexOf(':')))))
                {
                    if (counting.awaitExit(patience) == 0)
                    {
                        result[0] = parse(counting.output(), size);
                        return true;
                    }
                    refused.setLength(0);
                    refused.append(String.join(" | ", counting.errors()));
                    return !serving.isAlive();
                }
            }, PATIENCE);
            if (result[0] == null)
            {
                throw new UserException(program + ": " + refused + String.join(" | ", serving.errors()));
            }
            serving.awaitExit(PATIENCE);
            return result[0];
        }
    }

    /** Returns the command of one end; the client gets the address of the server. */
    private String[] command(
        final String name, final int core, final int size, final long iterations, final String... address)
    {
        return Stream.concat(Stream.of(
            "taskset", "-c", Integer.toString(Math.max(0, core)), program, "-d", PREFIX + name, "-F",
            "-s", Integer.toString(size), "-n", Long.toString(iterations)), Stream.of(address)).toArray(String[]::new);
    }

    /**
     * Reads what the client prints. perftest divides round trips by two.
     *
     * @param output lines of the program.
     * @param size   of the message in bytes, the first column.
     * @throws UserException if there is no such row.
     */
    static JsonNode parse(final List<String> output, final int size)
    {
        final String[] row = output.stream().map(line -> line.strip().split("\\s+"))
            .filter(columns -> columns.length == COLUMNS && columns[0].equals(Integer.toString(size)))
            .findFirst().orElseThrow(() -> new UserException("perftest printed no result: " + output));
        final ObjectNode result = JsonNodeFactory.instance.objectNode();
        result.put("device", "rxe:" + PingPongPlace.CLIENT_DEVICE);
        result.put("iterations", Long.parseLong(row[1]));
        result.put("loopsPerSecond", MICROS / (2 * Double.parseDouble(row[MEAN_COLUMN])));
        result.putObject("rttUs")
            .put("p50", 2 * Double.parseDouble(row[MEDIAN_COLUMN]))
            .put("p999", 2 * Double.parseDouble(row[P999_COLUMN]));
        return result;
    }

    private static void run(final ChildProcess command)
    {
        try (command)
        {
            if (command.awaitExit(PATIENCE) != 0)
            {
                throw new UserException("rdma link add: " + String.join(" | ", command.errors()));
            }
        }
    }
}
