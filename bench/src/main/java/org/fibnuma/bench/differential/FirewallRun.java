package org.fibnuma.bench.differential;

import org.fibnuma.core.UserException;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Runs rounds of random rulesets and connections, and repeats and shrinks those that differ. For one thread. */
final class FirewallRun
{
    private static final int MOST_DIFFERENCES = 10;

    private final long seed;
    private final int shrinkSeconds;
    private final Consumer<String> log;
    private final List<String> differences = new ArrayList<>();
    private int rounds;
    private int connections;
    private long packets;
    private long plain;
    private long byFlows;
    private int unrepeated;
    /** What differed the last time. */
    private String last;

    /**
     * @param seed          of everything that is drawn.
     * @param shrinkSeconds longest time to shrink a difference; 0 reports it as it was found.
     * @param log           receives a line for each round that differs.
     */
    FirewallRun(final long seed, final int shrinkSeconds, final Consumer<String> log)
    {
        this.seed = seed;
        this.shrinkSeconds = shrinkSeconds;
        this.log = log;
    }

    /**
     * Compares until the time is over; the round that is tried then is ended.
     *
     * @param seconds how long, without the time to shrink differences.
     * @param first   number of the first round, from 0.
     * @param count   largest number of rounds.
     */
    void run(final long seconds, final int first, final int count)
    {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        for (int number = first; number - first < count && System.nanoTime() - deadlineNs < 0 &&
            differences.size() < MOST_DIFFERENCES; number++)
        {
            final long roundSeed = seed * 1_000_003 + number;
            final List<List<String>> steps = FirewallRound.steps(roundSeed);
            final FirewallRound round = FirewallRound.run(roundSeed, steps, all());
            rounds++;
            connections += round.opened();
            packets += round.packets();
            plain += round.plain();
            byFlows += round.byFlows();
            if (round.difference() != null)
            {
                final long before = System.nanoTime();
                log.accept("round " + number + " differs: " + round.difference());
                repeat(number, roundSeed, steps);
                deadlineNs += System.nanoTime() - before;
            }
        }
    }

    private static List<Integer> all()
    {
        return IntStream.range(0, FirewallRound.CONNECTIONS).boxed().toList();
    }

    private void repeat(final int number, final long roundSeed, final List<List<String>> steps)
    {
        final FirewallRound again = FirewallRound.run(roundSeed, steps, all());
        if (again.difference() == null)
        {
            unrepeated++;
            return;
        }
        last = again.difference();
        final List<Integer> slots =
            !again.suspects().isEmpty() && differs(roundSeed, steps, again.suspects()) ? again.suspects() : all();
        final Shrinker shrinker = new Shrinker(shrinkSeconds);
        final List<List<String>> less = new ArrayList<>(steps);
        for (int i = 0; i < steps.size(); i++)
        {
            final int step = i;
            less.set(step, shrinker.less(less.get(step), fewer ->
            {
                final List<List<String>> candidate = new ArrayList<>(less);
                candidate.set(step, fewer);
                return differs(roundSeed, candidate, slots);
            }));
        }
        differences.add("seed " + seed + ", round " + number + ", connections " + slots + "\n" +
            less.stream().map(commands -> String.join("\n", commands)).collect(Collectors.joining("\n-- change\n")) +
            "\n-- " + last);
    }

    private boolean differs(final long roundSeed, final List<List<String>> steps, final List<Integer> slots)
    {
        try
        {
            final String difference = FirewallRound.run(roundSeed, steps, slots).difference();
            last = difference == null ? last : difference;
            return difference != null;
        }
        catch (final UserException ex)
        {
            // With these commands the router does not start, or the labs do not agree about a command.
            return false;
        }
    }

    /** Returns a text about each difference. */
    List<String> differences()
    {
        return differences;
    }

    /** Returns the numbers of the run, in the order of the output. */
    Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("seed", seed);
        map.put("rounds", rounds);
        map.put("connections", connections);
        map.put("packets", packets);
        map.put("established", plain);
        map.put("byFlows", byFlows);
        map.put("differences", differences.size());
        map.put("unrepeated", unrepeated);
        return map;
    }
}
