package org.fibnuma.bench.differential;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.UserException;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One ruleset and its changes with the packets of many connections, in a new pair of labs. Everything is drawn from the
 * seed and the number, and the packets of a connection do not depend on other connections. For one thread.
 */
final class FirewallRound
{
    /** Number of connections at the same time. */
    static final int CONNECTIONS = 48;

    private static final int CHANGES = 3;
    /** Turns after each change in which packets are drawn that are not plain data. */
    private static final int ODD_TURNS = 8;
    private static final int PLAIN_TURNS = 3;
    /** Percentage of packets that are not plain data in such a turn. */
    private static final int ODD = 35;
    /** How soon the router follows a change, in ms: with a notification, and without. */
    private static final long FOLLOWED_MS = 10;
    private static final long POLLED_MS = 1000;
    /** UDP is established after 2 s, and a flow half a second later. */
    private static final long LEARN_MS = 3000;
    private static final long LONGEST_LEARN_MS = 30_000;
    private static final long LEARN_INTERVAL_MS = 100;
    /** So often in sequence the number of flows must be the same. */
    private static final int UNCHANGED = 10;
    private static final int NUMBERS = 0xFFFF;
    private static final Set<String> SOURCES = FirewallGenerator.sources();

    private final long seed;
    private final List<List<String>> steps;
    private final List<Integer> slots;
    private final LabPair labs = new LabPair();
    /** Connections and what they are drawn from, by slot. */
    private final Map<Integer, Connection> connections = new HashMap<>();
    private final Map<Integer, Random> randoms = new HashMap<>();
    private final Set<Integer> suspects = new TreeSet<>();
    private int number;
    private int opened;
    private long packets;
    private long plain;
    private long byFlows;
    private String difference;

    private FirewallRound(final long seed, final List<List<String>> steps, final List<Integer> slots)
    {
        this.seed = seed;
        this.steps = steps;
        this.slots = slots;
    }

    /** Draws the ruleset and the changes of a round. */
    static List<List<String>> steps(final long seed)
    {
        final FirewallGenerator generator = new FirewallGenerator(new Random(seed));
        final List<List<String>> steps = new ArrayList<>();
        steps.add(generator.ruleset());
        for (int i = 0; i < CHANGES; i++)
        {
            steps.add(generator.change());
        }
        return steps;
    }

    /**
     * Runs a round until its end or the first difference.
     *
     * @param seed  of the connections.
     * @param steps commands of the ruleset, then those of each change.
     * @param slots numbers of the connections to have, less than {@link #CONNECTIONS}.
     * @throws UserException if the router does not start, or the labs do not agree about a command.
     */
    static FirewallRound run(final long seed, final List<List<String>> steps, final List<Integer> slots)
    {
        final FirewallRound round = new FirewallRound(seed, steps, slots);
        try (LabPair labs = round.labs)
        {
            labs.apply(FirewallGenerator.machine());
            labs.apply(steps.get(0));
            labs.startRouter();
            for (int step = 0; step < steps.size() && round.difference == null; step++)
            {
                round.step(step);
            }
        }
        return round;
    }

    private void step(final int step)
    {
        if (step > 0)
        {
            labs.apply(steps.get(step));
            pause(FirewallGenerator.isPolled(steps.get(step)) ? POLLED_MS : FOLLOWED_MS);
            exchange("at once after change " + step);
        }
        open(step);
        learn();
        exchangeCounted();
        for (int turn = 0; turn < ODD_TURNS; turn++)
        {
            odd(true);
            exchange("after unusual packets");
            odd(false);
            exchange("after unusual packets");
        }
    }

    private static void pause(final long milliseconds)
    {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(milliseconds));
    }

    /** Opens connections in the place of those that are closing. */
    private void open(final int step)
    {
        final List<Integer> fresh = new ArrayList<>();
        for (final int slot : slots)
        {
            if (step == 0 || connections.get(slot).isClosing())
            {
                final Random random = new Random(seed * 31 + step * CONNECTIONS + slot);
                connections.put(slot,
                    new Connection(random, FirewallGenerator.FIRST_PORT + step * CONNECTIONS + slot));
                randoms.put(slot, random);
                fresh.add(slot);
            }
        }
        opened += fresh.size();
        final int[] handshake = {Connection.SYN, Connection.SYN | Connection.ACK, Connection.ACK};
        for (int i = 0; i < handshake.length; i++)
        {
            final boolean fromOpener = i != 1;
            final int flags = handshake[i];
            turn("handshake", fromOpener, fresh, true, slot -> connections.get(slot).isTcp() ?
                connections.get(slot).segment(fromOpener, flags, nextNumber()) :
                connections.get(slot).data(fromOpener, nextNumber()));
        }
    }

    private void exchange(final String what)
    {
        turn(what, true, slots, true, slot -> connections.get(slot).data(true, nextNumber()));
        turn(what, false, slots, true, slot -> connections.get(slot).data(false, nextNumber()));
    }

    /** Exchanges data until no connection becomes a flow any more. */
    private void learn()
    {
        final long startNs = System.nanoTime();
        long flows = -1;
        int unchanged = 0;
        long elapsedMs = 0;
        while (difference == null &&
            (elapsedMs < LEARN_MS || unchanged < UNCHANGED && elapsedMs < LONGEST_LEARN_MS))
        {
            exchange("while connections are learned");
            pause(LEARN_INTERVAL_MS);
            final long now = labs.routed().ask("flows").path("count").asLong();
            unchanged = now == flows ? unchanged + 1 : 0;
            flows = now;
            elapsedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
        }
    }

    /** Exchanges data, and counts the packets that are forwarded by flows if the router may do that for all chains. */
    private void exchangeCounted()
    {
        final JsonNode restrictions = labs.routed().ask("host").path("restrictions");
        final boolean isCounted = !restrictions.isEmpty() &&
            restrictions.findValuesAsText("frames").stream().allMatch("flows"::equals);
        final long before = labs.routed().ask("drops").path("flows").asLong();
        long arrived = 0;
        for (int i = 0; i < PLAIN_TURNS; i++)
        {
            arrived += turn("data", true, slots, true, slot -> connections.get(slot).data(true, nextNumber()));
            arrived += turn("data", false, slots, true, slot -> connections.get(slot).data(false, nextNumber()));
        }
        pause(LEARN_INTERVAL_MS);
        if (isCounted)
        {
            plain += arrived;
            byFlows += labs.routed().ask("drops").path("flows").asLong() - before;
        }
    }

    private void odd(final boolean fromOpener)
    {
        turn("unusual packets", fromOpener, slots, false, slot -> randoms.get(slot).nextInt(100) < ODD ?
            connections.get(slot).odd(fromOpener, nextNumber()) : List.of());
    }

    private int nextNumber()
    {
        number = number % NUMBERS + 1;
        return number;
    }

    /** Sends packets of some connections; returns how many of them have arrived. */
    private long turn(
        final String what,
        final boolean fromOpener,
        final List<Integer> some,
        final boolean isPlain,
        final Drawing drawing)
    {
        if (difference != null)
        {
            return 0;
        }
        final List<Packet> sent = new ArrayList<>();
        final Map<Integer, Integer> slotOf = new HashMap<>();
        for (final int slot : some)
        {
            for (final Packet packet : drawing.draw(slot))
            {
                sent.add(packet);
                slotOf.put(Connection.number(packet.frame()), slot);
            }
        }
        packets += sent.size();
        final Comparison comparison = labs.compareTracked(sent, SOURCES);
        if (!comparison.isEqual())
        {
            difference = what + (fromOpener ? ", from the opener\n" : ", from the answerer\n") + comparison.text() +
                suspects(comparison, sent, slotOf);
        }
        return isPlain ? arrivals(comparison.kernel(), fromOpener, slotOf) : 0;
    }

    private long arrivals(final Outcome outcome, final boolean fromOpener, final Map<Integer, Integer> slotOf)
    {
        long arrived = 0;
        for (final String key : outcome.frames().keySet())
        {
            final byte[] frame = frame(key);
            final Integer slot = slotOf.get(Connection.number(frame));
            if (slot != null)
            {
                connections.get(slot).onArrival(fromOpener, key.charAt(0) - '0', frame);
                arrived++;
            }
        }
        return arrived;
    }

    private static byte[] frame(final String key)
    {
        return HexFormat.of().parseHex(key, 2, key.length());
    }

    /** Finds the connections whose frames differ; returns what they have sent. */
    private String suspects(
        final Comparison comparison, final List<Packet> sent, final Map<Integer, Integer> slotOf)
    {
        final Map<String, Integer> expected = comparison.kernel().frames();
        final Map<String, Integer> actual = comparison.router().frames();
        final Set<Integer> numbers = Stream.of(expected, actual).flatMap(frames -> frames.keySet().stream())
            .filter(key -> !Objects.equals(expected.get(key), actual.get(key)))
            .map(key -> Connection.number(frame(key))).collect(Collectors.toSet());
        final StringBuilder text = new StringBuilder();
        for (final Packet packet : sent)
        {
            final Integer slot = slotOf.get(Connection.number(packet.frame()));
            if (numbers.contains(Connection.number(packet.frame())))
            {
                suspects.add(slot);
                text.append("sent: r").append(packet.link()).append(' ').append(packet.hex()).append(" of ")
                    .append(slot).append(", ").append(connections.get(slot)).append('\n');
            }
        }
        return text.toString();
    }

    /** Returns the connections whose frames differ. The machine's own answers belong to none. */
    List<Integer> suspects()
    {
        return List.copyOf(suspects);
    }

    /** Returns the first difference, null if there is none. */
    String difference()
    {
        return difference;
    }

    int opened()
    {
        return opened;
    }

    long packets()
    {
        return packets;
    }

    /** Returns how many packets with data arrived after the learning, while all chains permitted flows. */
    long plain()
    {
        return plain;
    }

    /** Returns how many of {@link #plain()} were forwarded by flows. */
    long byFlows()
    {
        return byFlows;
    }

    @FunctionalInterface
    private interface Drawing
    {
        List<Packet> draw(int slot);
    }
}
