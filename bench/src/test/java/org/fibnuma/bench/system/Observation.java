package org.fibnuma.bench.system;

import org.fibnuma.core.Await;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * What became of some frames: what arrived at each host, and what the router wrote into its books. A sentinel frame
 * follows the observed ones, so that "nothing arrived" needs no guess about time; it is left out of the result.
 *
 * @param sent  the frames' bytes as hex.
 * @param atA   IPv4 and IPv6 frames that arrived at host a.
 * @param atB   IPv4 and IPv6 frames that arrived at host b.
 * @param atC   IPv4 and IPv6 frames that arrived at host c.
 * @param fates what changed in the router's counters.
 */
record Observation(
    List<String> sent, List<ReceivedFrame> atA, List<ReceivedFrame> atB, List<ReceivedFrame> atC, Fates fates)
{
    static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration AFTERMATH = Duration.ofMillis(30);
    private static final String SENTINEL_SOURCE = "10.0.0.99";
    private static final String SENTINEL =
        "TO_ROUTER/IP(src='" + SENTINEL_SOURCE + "', dst='%s250')/UDP(sport=9, dport=9)/b'sentinel'";
    private static final String IS_SENTINEL = "IP in p and p[IP].src == '" + SENTINEL_SOURCE + "'";
    private static final String RECEIVED = "received";
    private static final String FORWARDED = "forwarded";

    static Observation of(final RouterLab lab, final ScapyHost sender, final String... frames)
    {
        lab.hosts().forEach(ScapyHost::clear);
        final Fates before = lab.fates();
        final boolean fromB = sender == lab.b();
        final String[] withSentinel = Arrays.copyOf(frames, frames.length + 1);
        withSentinel[frames.length] = String.format(SENTINEL, fromB ? RouterLab.BEYOND_A : RouterLab.BEYOND_B);
        final List<String> sent = sender.send(withSentinel).subList(0, frames.length);
        final List<ReceivedFrame> atFar = (fromB ? lab.a() : lab.b()).receiveUntil(IS_SENTINEL, PATIENCE);
        assertTrue(!atFar.isEmpty() && isSentinel(atFar.get(atFar.size() - 1)),
            () -> "the sentinel did not arrive, but " + atFar + "; counted since: " + lab.fates().since(before) +
            "; neighbours: " + lab.router().run("ip", "neighbor"));
        final Fates fates = settledFates(lab, before);
        return new Observation(
            sent,
            fromB ? join(atFar, lab.a()) : join(List.of(), lab.a()),
            fromB ? join(List.of(), lab.b()) : join(atFar, lab.b()),
            join(List.of(), lab.c()),
            fates);
    }

    private static boolean isSentinel(final ReceivedFrame frame)
    {
        return frame.isIp() && frame.ip().source().equals(SENTINEL_SOURCE);
    }

    private static List<ReceivedFrame> join(final List<ReceivedFrame> first, final ScapyHost host)
    {
        final List<ReceivedFrame> frames = new ArrayList<>(first);
        frames.addAll(host.receive(Integer.MAX_VALUE, AFTERMATH));
        frames.removeIf(Observation::isSentinel);
        return frames;
    }

    /** What changed in the router's counters when it has received a number of frames and knows what became of them. */
    static Fates awaitReceived(final RouterLab lab, final Fates before, final int count)
    {
        return awaitCount(lab, before, RECEIVED, count);
    }

    /**
     * What changed in the router's counters, as soon as that is expected: a worker publishes them after it has sent the
     * frames.
     */
    static Fates awaitFates(final RouterLab lab, final Fates before, final Predicate<Fates> expected)
    {
        final Fates[] last = new Fates[1];
        Await.until(() -> "the expected counters, not " + last[0], () ->
        {
            last[0] = lab.fates().since(before);
            return expected.test(last[0]);
        });
        return last[0];
    }

    private static Fates awaitCount(final RouterLab lab, final Fates before, final String name, final int count)
    {
        return awaitFates(lab, before,
            fates -> !fates.known() || fates.balanced() && fates.count(name) >= count);
    }

    private static Fates settledFates(final RouterLab lab, final Fates before)
    {
        final Fates fates = awaitCount(lab, before, FORWARDED, 1);
        final Map<String, Long> counts = new TreeMap<>(fates.counts());
        counts.computeIfPresent(RECEIVED, (name, count) -> count - 1);
        counts.computeIfPresent(FORWARDED, (name, count) -> count - 1);
        counts.values().removeIf(count -> count == 0);
        return new Fates(counts, fates.balanced(), fates.known());
    }

    /** Exactly these fates, each with its count, and nothing else changed beside ports and our own messages. */
    void assertFates(final Map<String, Long> expected)
    {
        if (fates.known())
        {
            final Map<String, Long> actual = new TreeMap<>(fates.counts());
            actual.keySet().removeAll(
                List.of("dropped", "originated", "fragments", "icmpSuppressed", "fromHost", "ipv6"));
            assertEquals(new TreeMap<>(expected), actual, "fates");
        }
    }

    /** Every sent frame was forwarded. */
    void assertForwarded()
    {
        assertFates(Map.of(RECEIVED, (long)sent.size(), FORWARDED, (long)sent.size()));
    }

    /** Every sent frame was dropped for this reason. */
    void assertDropped(final String reason)
    {
        assertFates(Map.of(RECEIVED, (long)sent.size(), reason, (long)sent.size()));
    }

    /** Every sent frame was dropped for this reason, on ports where the router gets frames that AF_XDP leaves alone. */
    void assertDroppedOrLeftToTheKernel(final String reason)
    {
        if (LabDevice.chosen().isXdp())
        {
            assertFates(Map.of());
        }
        else
        {
            assertDropped(reason);
        }
    }

    /** No frame left the router on any cable. */
    void assertSilence()
    {
        assertEquals(List.of(), Stream.of(atA, atB, atC).flatMap(List::stream).toList(), "frames of the router");
    }

    /** One frame and no other arrived anywhere: at b. */
    ReceivedFrame onlyAtB()
    {
        return only(atB);
    }

    /** One frame and no other arrived anywhere: at c. */
    ReceivedFrame onlyAtC()
    {
        return only(atC);
    }

    /** One frame and no other arrived anywhere: an ICMP message at a, the sender. */
    ReceivedFrame onlyErrorAtA(final int type, final int code)
    {
        final ReceivedFrame error = only(atA);
        assertTrue(error.isIcmp(), error::toString);
        assertEquals(type, error.icmp().type(), error::toString);
        assertEquals(code, error.icmp().code(), error::toString);
        return error;
    }

    /** One frame and no other arrived anywhere: an ICMPv6 message at a, the sender. */
    ReceivedFrame onlyIcmpv6AtA(final int type, final int code)
    {
        final ReceivedFrame error = only(atA);
        assertTrue(error.isIcmpv6(), error::toString);
        assertEquals(type, error.icmpv6().type(), error::toString);
        assertEquals(code, error.icmpv6().code(), error::toString);
        return error;
    }

    private ReceivedFrame only(final List<ReceivedFrame> there)
    {
        assertEquals(1, there.size(), this::toString);
        assertEquals(1, atA.size() + atB.size() + atC.size(), this::toString);
        return there.get(0);
    }

    /** Returns the packet of a sent frame as hex, without its Ethernet header. */
    String packet(final int index)
    {
        return sent.get(index).substring(2 * EthernetHeaderFlyweight.LENGTH);
    }
}
