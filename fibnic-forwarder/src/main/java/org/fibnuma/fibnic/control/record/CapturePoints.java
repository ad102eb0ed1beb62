package org.fibnuma.fibnic.control.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.OffsetEpochNanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.fibnuma.fibnic.capture.CapturePoint;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fib.ReaderEpochs;

import java.util.List;
import java.util.function.IntFunction;
import java.util.function.ObjIntConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The capture points of the workers of a router, and the names that captures and traces send to their clients. Control
 * thread.
 */
public final class CapturePoints
{
    /** Sent as the name of a port that does not exist now, or is removed. */
    private static final String ADDED_LATER = "added-later";

    private final IntFunction<String> portName;
    private final int places;
    private final List<CapturePoint> points;
    private final ReaderEpochs epochs;
    private final EpochNanoClock epochClock = new OffsetEpochNanoClock();

    /**
     * Creates the capture points, all off.
     *
     * @param portName returns the name of the port of an index, null if there is none or it is removed.
     * @param places   number of indexes, 1 to 64.
     * @param workers  number of workers.
     * @param epochs   of the workers.
     */
    public CapturePoints(
        final IntFunction<String> portName, final int places, final int workers, final ReaderEpochs epochs)
    {
        this.portName = portName;
        this.places = places;
        this.points = IntStream.range(0, workers).mapToObj(worker -> new CapturePoint()).toList();
        this.epochs = epochs;
    }

    /** Returns the capture point of a worker. */
    public CapturePoint of(final int worker)
    {
        return points.get(worker);
    }

    int workers()
    {
        return points.size();
    }

    /** Passes the capture point of each worker and its number. */
    void forEach(final ObjIntConsumer<CapturePoint> action)
    {
        IntStream.range(0, points.size()).forEach(worker -> action.accept(points.get(worker), worker));
    }

    /**
     * Runs a task when every worker has ended the duty cycle in which it may still use the previous state of its
     * capture point.
     */
    void whenSeen(final Runnable task)
    {
        epochs.retire(task);
    }

    /** Returns the difference from the workers' clock to the time since 1970 in ns. */
    long epochOffsetNs()
    {
        return epochClock.nanoTime() - SystemNanoClock.INSTANCE.nanoTime();
    }

    /**
     * Returns the ports of a request.
     *
     * @param request with {@code ports}, absent for all.
     * @return one bit for each index.
     * @throws IllegalArgumentException with one line if the router has no such port.
     */
    long portsOf(final JsonNode request)
    {
        long ports = 0;
        for (final JsonNode name : request.path("ports"))
        {
            final int port = existing().filter(index -> portName.apply(index).equals(name.asText())).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no port \"" + name.asText() + "\"; the router has " +
                    existing().mapToObj(portName).collect(Collectors.joining(", "))));
            ports |= 1L << port;
        }
        return request.has("ports") ? ports : existing().mapToLong(index -> 1L << index).sum();
    }

    private IntStream existing()
    {
        return IntStream.range(0, places).filter(index -> portName.apply(index) != null);
    }

    private IntStream among(final long ports)
    {
        return existing().filter(index -> (ports & 1L << index) != 0);
    }

    /** Returns an answer with the names of some ports by index, of all ports, and of the drop reasons by id. */
    ObjectNode description(final long ports)
    {
        final ObjectNode description = ControlProtocol.object();
        final ArrayNode described = description.putArray("ports");
        among(ports).forEach(index -> described.addObject().put("index", index).put("port", portName.apply(index)));
        final ArrayNode all = description.putArray("allPorts");
        IntStream.range(0, places).mapToObj(portName).forEach(name -> all.add(name == null ? ADDED_LATER : name));
        final ArrayNode reasons = description.putArray("reasons");
        for (int id = 0; id < DropReason.count(); id++)
        {
            reasons.add(DropReason.of(id).label());
        }
        return description;
    }

    /** Returns the names of some ports for a line of the log. */
    String names(final long ports)
    {
        return among(ports).mapToObj(portName).collect(Collectors.joining(","));
    }
}
