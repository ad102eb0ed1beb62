package org.fibnuma.bench.memif;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.Contestant;
import org.fibnuma.bench.lab.Waiting;
import org.fibnuma.core.UserException;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;

import java.io.IOException;
import java.time.Duration;

/**
 * Throughput of a forwarder between the links of a {@link Flowgen}: frames sent, frames returned, and the idle share of
 * the forwarder.
 */
final class MemifThroughput
{
    private static final double MICROS = 1e3;
    private static final double PERCENT = 100;
    /** Long enough for the JIT to compile the data path. */
    static final Duration WARM_UP = Duration.ofMillis(2000);

    private MemifThroughput()
    {
    }

    static Result measure(final MemifForwarder forwarder, final MemifRig rig, final Duration duration)
    {
        try (Contestant.Running running = forwarder.start(rig); Flowgen generator = Flowgen.start(rig))
        {
            Waiting.sleep(WARM_UP);
            final Result result = measure(forwarder == MemifForwarder.FIBNUMA, generator, duration);
            running.verify();
            return result;
        }
    }

    private static Result measure(final boolean isRouter, final Flowgen generator, final Duration duration)
    {
        final Polls pollsBefore = isRouter ? Polls.read() : null;
        final Flowgen.Counts before = generator.counts();
        final long start = System.nanoTime();
        Waiting.sleep(duration);
        final Flowgen.Counts after = generator.counts();
        final double micros = (System.nanoTime() - start) / MICROS;
        final Polls polls = isRouter ? Polls.read() : null;
        final double sent = after.sent() - before.sent();
        final double mpps = (after.received() - before.received()) / micros;
        if (polls == null)
        {
            return new Result(mpps, sent / micros, null, null, null);
        }
        final double idle = polls.idle - pollsBefore.idle;
        final double all = polls.all - pollsBefore.all;
        return new Result(
            mpps,
            sent / micros,
            PERCENT * (polls.dropped - pollsBefore.dropped) / sent,
            PERCENT * idle / all,
            (polls.received - pollsBefore.received) / (all - idle));
    }

    /**
     * Result of one measurement.
     *
     * @param mpps           returned frames, in millions per second.
     * @param generatorMpps  sent frames, in millions per second.
     * @param droppedPercent share of these that the router dropped, or null.
     * @param idlePercent    share of the router's duty cycles without a frame, or null.
     * @param framesPerPoll  frames in the other duty cycles, of two links with up to 64 each, or null.
     */
    record Result(
        double mpps, double generatorMpps, Double droppedPercent, Double idlePercent, Double framesPerPoll)
    {
    }

    private record Polls(long all, long idle, long received, long dropped)
    {
        static Polls read()
        {
            try (ControlClient client = ControlClient.connect(MemifForwarder.ROUTER_NAME))
            {
                final JsonNode answer = client.ask(ControlProtocol.request("drops"));
                return new Polls(answer.get("polls").asLong(), answer.get("idlePolls").asLong(),
                    answer.get("received").asLong(), answer.get("dropped").asLong());
            }
            catch (final IOException ex)
            {
                throw new UserException("the router does not answer: " + ex.getMessage(), ex);
            }
        }
    }
}
