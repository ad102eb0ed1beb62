package org.fibnuma.bench.lab;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Measures in turn: every round has one turn of each contestant. Prints what is measured and how long it will take
 * before the first round, a line after each turn, and the remaining time after each round. For one thread.
 */
public final class Turns
{
    private final Consumer<String> progress;
    private final List<Turn> turns = new ArrayList<>();

    /**
     * Creates rounds without turns.
     *
     * @param progress prints a line of progress.
     */
    public Turns(final Consumer<String> progress)
    {
        this.progress = progress;
    }

    /** Measures a contestant once. */
    @FunctionalInterface
    public interface Measurement
    {
        /**
         * Starts what is measured, warms it up, measures it, keeps the figures and ends it.
         *
         * @return the figures for the line of progress.
         * @throws IOException if the measurement fails.
         */
        String run() throws IOException;
    }

    private record Turn(String name, Duration duration, Measurement measurement)
    {
    }

    /**
     * Adds the next turn of every round.
     *
     * @param name        contestant's name, and what is measured of it where there is more than one thing.
     * @param duration    time of its warm-up and measurement, without its start.
     * @param measurement measures it once.
     */
    public void add(final String name, final Duration duration, final Measurement measurement)
    {
        turns.add(new Turn(name, duration, measurement));
    }

    /** Returns whether a contestant can run on this machine; prints why it is left out if it cannot. */
    public boolean includes(final Contestant<?> contestant)
    {
        if (contestant.missing() != null)
        {
            progress.accept("left out: " + contestant.name() + ": " + contestant.missing());
        }
        return contestant.missing() == null;
    }

    /**
     * Measures.
     *
     * @param word   name of a round in the lines of progress.
     * @param rounds number of rounds, 1 or more.
     * @throws IOException if a measurement fails.
     */
    public void run(final String word, final int rounds) throws IOException
    {
        final int width = turns.stream().mapToInt(turn -> turn.name.length()).max().orElse(0);
        progress.accept(word + "s: " + rounds + ", each of " +
            turns.stream().map(Turn::name).collect(Collectors.joining("; ")) + "; at least " +
            rounds * turns.stream().map(Turn::duration).reduce(Duration.ZERO, Duration::plus).toSeconds() + " s");
        final long startNs = System.nanoTime();
        for (int round = 1; round <= rounds; round++)
        {
            for (final Turn turn : turns)
            {
                final String figures = turn.measurement.run();
                progress.accept(String.format(
                    "%s %d of %d: %-" + width + "s  %s", word, round, rounds, turn.name, figures));
            }
            final long passedS = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs);
            if (round < rounds)
            {
                progress.accept(String.format("%d of %d %ss took %d s, the others take about %d s",
                    round, rounds, word, passedS, passedS * (rounds - round) / round));
            }
        }
    }
}
