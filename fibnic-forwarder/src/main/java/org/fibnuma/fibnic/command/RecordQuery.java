package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.binding.pcap.PcapFilterCompiler;
import org.fibnuma.core.agent.Termination;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.fibnuma.fibnic.record.RecordReceiver;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A command that receives records of the workers of a running router until its count or a signal ends it. */
abstract class RecordQuery extends RouterQuery
{
    private static final int RECEIVE_BYTES = 1 << 20;
    /** Interval of the checks for a signal and for the end of the time. */
    private static final long CHECK_MS = 100;

    @Option(
        names = "--port", split = ",", paramLabel = "PORT",
        description = "Port of the router; several are separated by commas, or each has the option (default: all).")
    private List<String> ports = List.of();

    /** Adds the ports of the option, and a filter compiled by libpcap, null for none. */
    final void addPortsAndFilter(final ObjectNode request, final String filter)
    {
        if (!ports.isEmpty())
        {
            final ArrayNode names = request.putArray("ports");
            ports.forEach(names::add);
        }
        if (filter != null)
        {
            request.put("filter", PcapFilterCompiler.compile(filter).toString());
        }
    }

    /** Returns the names of the ports in an answer, by index. */
    static Map<Integer, String> portNames(final JsonNode answer)
    {
        final Map<Integer, String> names = new TreeMap<>();
        answer.path("ports").forEach(port -> names.put(port.path("index").asInt(), port.path("port").asText()));
        return names;
    }

    static List<String> texts(final JsonNode array)
    {
        final List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asText()));
        return texts;
    }

    /** Starts a thread that ends the records after some seconds, null for never, or after a signal. */
    final void endAsAsked(final ControlClient client, final Termination termination, final Long seconds)
    {
        final long endNs = seconds == null ? Long.MAX_VALUE : TimeUnit.SECONDS.toNanos(seconds);
        final long startNs = System.nanoTime();
        final Thread thread = new Thread(() ->
        {
            try
            {
                while (!termination.await(CHECK_MS) && System.nanoTime() - startNs < endNs)
                {
                    continue;
                }
                stop(client);
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
            }
        }, commandName() + "-end");
        thread.setDaemon(true);
        thread.start();
    }

    private static void stop(final ControlClient client)
    {
        client.tell(ControlProtocol.request("stop"));
    }

    /**
     * Receives records until the last one.
     *
     * @param client   connected to the router.
     * @param receiver of the records.
     * @param isEnough called after records were received; returns true to end the records.
     * @return false if the router ended before the last record.
     * @throws IOException with one line if a record is invalid.
     */
    static boolean receive(
        final ControlClient client, final RecordReceiver receiver, final BooleanSupplier isEnough) throws IOException
    {
        final ByteBuffer received = ByteBuffer.allocateDirect(RECEIVE_BYTES);
        boolean isStopped = false;
        while (client.read(received) > 0)
        {
            received.flip();
            final boolean isLast = !receiver.receive(received);
            received.compact();
            final boolean isFull = isEnough.getAsBoolean();
            if (isLast)
            {
                return true;
            }
            if (!isStopped && isFull)
            {
                isStopped = true;
                stop(client);
            }
        }
        return false;
    }

    /** Prints a line on standard error. */
    final void say(final String line)
    {
        commandLine().getErr().println("fibnuma: " + line);
        commandLine().getErr().flush();
    }
}
