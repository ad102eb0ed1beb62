package org.fibnuma.bench.forward;

import org.fibnuma.bench.lab.Contestant;
import org.fibnuma.bench.lab.DpdkTelemetry;
import org.fibnuma.bench.lab.Families;
import org.fibnuma.bench.lab.Rounds;
import org.fibnuma.bench.lab.Turns;
import org.fibnuma.bench.lab.Waiting;
import org.fibnuma.core.UserException;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Measures the rates of contestants over every capture of a rig, and adds them to the result. */
final class ForwardComparison
{
    /** Time until the JIT has compiled the data path. */
    private static final Duration WARM_UP = Duration.ofMillis(3000);
    private static final Duration PEER_WARM_UP = Duration.ofMillis(500);
    private static final int SOURCE = 0;
    private static final int SINK = 1;
    private static final String RECEIVED = "ipackets";
    private static final String SENT = "opackets";
    /** More frames than any contestant has on their way from the source to the sink. */
    private static final int UNDER_WAY = 4096;

    private final ForwardRig rig;
    private final Set<Families> kinds;
    private final List<Contestant<ForwardRig.Replay>> contestants = new ArrayList<>();
    private final ForwardResult result;
    private final Turns turns;

    ForwardComparison(
        final ForwardRig rig, final Set<Families> kinds, final ForwardResult result,
        final Consumer<String> progress)
    {
        this.rig = rig;
        this.kinds = kinds;
        this.result = result;
        this.turns = new Turns(progress);
    }

    /** Adds a contestant, or prints why it is left out. */
    void add(final Contestant<ForwardRig.Replay> contestant)
    {
        if (turns.includes(contestant))
        {
            contestants.add(contestant);
        }
    }

    /**
     * Measures one contestant after the other in every round. Each result is the rate of one round.
     *
     * @param rounds   number of rounds.
     * @param duration time of one measurement.
     */
    void measureInTurn(final int rounds, final Duration duration) throws IOException
    {
        for (final Families kind : kinds)
        {
            for (final Contestant<ForwardRig.Replay> contestant : contestants)
            {
                turns.add(kind.label() + " " + contestant.name(), warmUp(contestant).plus(duration), () ->
                {
                    try (Contestant.Running running = contestant.start(rig.replay(kind)))
                    {
                        final double mpps = measure(running, warmUp(contestant), duration);
                        result.add(kind, contestant.name(), mpps);
                        return String.format("%6.1f Mpps", mpps);
                    }
                });
            }
        }
        turns.run("round", rounds);
    }

    /**
     * Measures slices of contestants that run at once. Each result is the median of the slices of a start, or the rate
     * of one slice if there is one start.
     *
     * @param starts how often all contestants are started for every capture.
     * @param slices number of slices of each contestant after a start.
     */
    void measureInSlices(final int starts, final int slices) throws IOException
    {
        final long runningMs = contestants.stream()
            .mapToLong(contestant -> warmUp(contestant).toMillis() + slices * SlicedMeasurement.sliceMs()).sum();
        for (final Families kind : kinds)
        {
            turns.add(kind.label(), Duration.ofMillis(runningMs), () ->
            {
                final Rounds<String> rates = slices(kind, slices);
                for (final String name : rates.contestants())
                {
                    (starts == 1 ? rates.of(name) : List.of(rates.median(name)))
                        .forEach(mpps -> result.add(kind, name, mpps));
                }
                return slices + " slices of each program";
            });
        }
        turns.run("start", starts);
    }

    private Rounds<String> slices(final Families kind, final int slices)
    {
        final Rounds<String> rates = new Rounds<>();
        try (SlicedMeasurement measurement = new SlicedMeasurement())
        {
            contestants.forEach(contestant ->
                measurement.start(contestant, rig.replay(kind), warmUp(contestant)));
            for (int slice = 0; slice < slices; slice++)
            {
                measurement.measure(slice, rates::add);
            }
        }
        return rates;
    }

    private static Duration warmUp(final Contestant<?> contestant)
    {
        return contestant instanceof FibnumaContestant ? WARM_UP : PEER_WARM_UP;
    }

    /**
     * Measures the rate at which the sink's driver receives frames.
     *
     * @param running  contestant with telemetry.
     * @param warmUp   time before the measurement starts.
     * @param duration time of the measurement.
     * @return millions a second.
     * @throws UserException if the contestant ends, or does not send every frame of the source to the sink: a router
     *                       drops frames without a route or sends them elsewhere, which takes less time.
     */
    static double measure(final Contestant.Running running, final Duration warmUp, final Duration duration)
    {
        final DpdkTelemetry telemetry = running.telemetry();
        Waiting.sleep(warmUp);
        final DpdkTelemetry.Reading before = telemetry.read(SINK, SENT);
        final DpdkTelemetry.Reading receivedBefore = telemetry.read(SOURCE, RECEIVED);
        Waiting.sleep(duration);
        final DpdkTelemetry.Reading receivedAfter = telemetry.read(SOURCE, RECEIVED);
        final DpdkTelemetry.Reading after = telemetry.read(SINK, SENT);
        running.verify();
        requireAll(running.name(), receivedAfter.count() - receivedBefore.count(), after.count() - before.count());
        return after.rateSince(before);
    }

    /**
     * Checks that a contestant sends what it receives.
     *
     * @param name     contestant's name.
     * @param received frames that it received from the source.
     * @param sent     frames that it sent to the sink in a time that contains the other's.
     * @throws UserException if more frames are missing than can be on their way.
     */
    static void requireAll(final String name, final long received, final long sent)
    {
        if (sent < received - UNDER_WAY)
        {
            throw new UserException(name + " received " + received + " frames and sent only " + sent +
                " of them to the next hops: a rate of such a run cannot be compared");
        }
    }
}
