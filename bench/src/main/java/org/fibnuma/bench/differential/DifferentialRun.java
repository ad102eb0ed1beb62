package org.fibnuma.bench.differential;

import org.fibnuma.core.UserException;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Draws hosts one after the other, changes each while the router runs, sends packets between the changes and compares.
 * A host and its packets depend on the seed and the number of the host only. For one thread.
 */
final class DifferentialRun
{
    private static final int CHANGES = 24;
    private static final int PACKETS = 64;
    /** One batch of so many waits for the errors about neighbours that do not answer. */
    private static final int PATIENT = 6;
    /** One packet of so many in it is for such a neighbour. */
    private static final int FOR_SILENT = 4;
    private static final List<Prefix> SILENT_HOSTS = Neighbors.silent();
    /** Longest list of differences: the run ends then, since many of them have one cause. */
    private static final int MOST_DIFFERENCES = 10;
    /** Most packets of one batch that are shown to differ, each of which takes seconds. */
    private static final int MOST_PACKETS = 3;

    private final long seed;
    private final int shrinkSeconds;
    private final Consumer<String> log;
    private final List<String> scripts = new ArrayList<>();
    private final Map<OnPurpose, Long> onPurpose = new EnumMap<>(OnPurpose.class);
    private int hosts;
    private int refused;
    private int changes;
    private long packets;
    private int unrepeated;
    private long deadlineNs;

    /**
     * @param seed          of everything that is drawn.
     * @param shrinkSeconds longest time to shrink a difference; 0 reports it as it was found.
     * @param log           receives a line for each host that differs or is refused.
     */
    DifferentialRun(final long seed, final int shrinkSeconds, final Consumer<String> log)
    {
        this.seed = seed;
        this.shrinkSeconds = shrinkSeconds;
        this.log = log;
    }

    /**
     * Compares until the time is over; the host that is tried then is given up.
     *
     * @param seconds how long, without the time to shrink differences.
     * @param first   number of the first host, from 0.
     * @param count   largest number of hosts.
     */
    void run(final long seconds, final int first, final int count)
    {
        deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        for (int host = first; host - first < count && isTime() && scripts.size() < MOST_DIFFERENCES; host++)
        {
            tryHost(host);
        }
    }

    private boolean isTime()
    {
        return System.nanoTime() - deadlineNs < 0;
    }

    private void tryHost(final int number)
    {
        final Random random = new Random(seed * 1_000_003 + number);
        final HostGenerator generator = new HostGenerator(random);
        final PacketGenerator packetGenerator = new PacketGenerator(random, generator.mtus());
        final List<String> before = generator.host();
        final List<String> during = new ArrayList<>();
        Scenario suspect = null;
        try (LabPair labs = new LabPair())
        {
            labs.apply(before);
            if (!start(labs, number))
            {
                return;
            }
            hosts++;
            for (int change = 0; change <= CHANGES && isTime() && suspect == null; change++)
            {
                if (change > 0)
                {
                    final List<String> commands = generator.change();
                    labs.apply(commands);
                    during.addAll(commands);
                    changes++;
                }
                final boolean isPatient = random.nextInt(PATIENT) == 0;
                final List<Packet> batch = new ArrayList<>();
                for (int i = 0; i < PACKETS; i++)
                {
                    batch.add(packetGenerator.draw(
                        isPatient && i % FOR_SILENT == 0 ? SILENT_HOSTS : generator.destinations()));
                }
                suspect = suspect(labs, new Scenario(before, List.copyOf(during), batch),
                    isPatient ? LabPair.FAILURE_MS : 0, number);
            }
        }
        catch (final UserException ex)
        {
            report(number, ex.getMessage(), new Scenario(before, during, List.of()));
        }
        if (suspect != null)
        {
            shrink(number, suspect);
        }
    }

    private boolean start(final LabPair labs, final int number)
    {
        try
        {
            labs.startRouter();
            return true;
        }
        catch (final UserException ex)
        {
            refused++;
            log.accept("host " + number + ": " + ex.getMessage());
            return false;
        }
    }

    /** Returns the scenario with the packets of the batch whose outcomes differ one by one, or null. */
    private Scenario suspect(final LabPair labs, final Scenario scenario, final long leastMs, final int number)
    {
        final List<String> commands = scenario.commands();
        final List<Packet> together = new ArrayList<>();
        final List<Packet> alone = new ArrayList<>();
        for (final Packet packet : scenario.packets())
        {
            final OnPurpose reason = OnPurpose.of(commands, packet);
            if (reason != null)
            {
                onPurpose.merge(reason, 1L, Long::sum);
            }
            if (reason == null)
            {
                together.add(packet);
            }
            else if (reason.isSent())
            {
                alone.add(packet);
            }
        }
        packets += together.size() + alone.size();
        boolean differs = !isEqual(labs.compare(together, null, leastMs));
        for (final Packet packet : alone)
        {
            differs |= !isEqual(labs.compare(List.of(packet), OnPurpose.of(commands, packet), 0));
        }
        if (!differs)
        {
            return null;
        }
        together.addAll(alone);
        return repeat(labs, new Scenario(scenario.before(), scenario.during(), together), leastMs, number);
    }

    /** Sends packets once more, one by one, when the router has followed all changes. */
    private Scenario repeat(final LabPair labs, final Scenario scenario, final long leastMs, final int number)
    {
        final List<String> commands = scenario.commands();
        labs.settle();
        final List<Packet> different = new ArrayList<>();
        for (int i = 0; i < scenario.packets().size() && different.size() < MOST_PACKETS; i++)
        {
            final Packet packet = scenario.packets().get(i);
            final Comparison comparison = labs.compareAlone(packet, OnPurpose.of(commands, packet), leastMs);
            if (!isEqual(comparison))
            {
                log.accept("host " + number + " differs after " + scenario.during().size() + " changes: link " +
                    packet.link() + " " + packet.hex() + "\n" + comparison.text());
                different.add(packet);
            }
        }
        if (different.isEmpty())
        {
            unrepeated++;
            return null;
        }
        return new Scenario(scenario.before(), scenario.during(), different);
    }

    private boolean isEqual(final Comparison comparison)
    {
        if (comparison.redirects() > 0)
        {
            onPurpose.merge(OnPurpose.REDIRECT, (long)comparison.redirects(), Long::sum);
        }
        return comparison.isEqual();
    }

    private void shrink(final int number, final Scenario suspect)
    {
        final long before = System.nanoTime();
        final Scenario smallest = shrinkSeconds == 0 ? null :
            new Shrinker(shrinkSeconds).shrink(
                new Scenario(suspect.before(), suspect.during(), suspect.packets().subList(0, 1)));
        if (smallest == null)
        {
            report(number, shrinkSeconds == 0 ? "with all commands" :
                "the difference does not appear in new labs; all commands follow", suspect);
        }
        else
        {
            report(number, smallest.run().text(), smallest);
        }
        deadlineNs += System.nanoTime() - before;
    }

    private void report(final int number, final String what, final Scenario scenario)
    {
        scripts.add(ReproductionScript.of(scenario, "seed " + seed + ", host " + number + "\n" + what));
    }

    /** Returns a script for each difference. */
    List<String> scripts()
    {
        return scripts;
    }

    /** Returns the numbers of the run, in the order of the output. */
    Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("seed", seed);
        map.put("hosts", hosts);
        map.put("hostsRefused", refused);
        map.put("changes", changes);
        map.put("packets", packets);
        map.put("differences", scripts.size());
        map.put("unrepeated", unrepeated);
        map.put("skippedOnPurpose", onPurpose.values().stream().mapToLong(Long::longValue).sum());
        return map;
    }
}
