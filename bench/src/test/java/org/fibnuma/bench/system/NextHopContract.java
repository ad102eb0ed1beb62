package org.fibnuma.bench.system;

import org.fibnuma.core.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Next hops of one family that are unknown, change, or go. */
abstract class NextHopContract extends WireTest
{
    static final String OTHER_MAC = "02:00:00:00:00:99";
    static final Duration PATIENCE = Duration.ofSeconds(60);
    private final String gateway;
    private final int length;
    private final String prefix;
    private final String destination;

    /**
     * Describes the route of all tests.
     *
     * @param gateway     next hop on the link of host b, which nobody has at first.
     * @param length      of the prefix of that link.
     * @param prefix      of the route.
     * @param destination address in the prefix.
     */
    NextHopContract(final String gateway, final int length, final String prefix, final String destination)
    {
        this.gateway = gateway;
        this.length = length;
        this.prefix = prefix;
        this.destination = destination;
    }

    /** Changes a route of the family: the words behind {@code ip route}. */
    abstract void changeRoute(String... words);

    /** Returns a frame of host a to an address, which is to leave with TTL 63 and can be told by a number. */
    abstract String frame(String to, int number);

    /** Asserts that the header of a forwarded frame is right, and returns its number. */
    abstract int forwardedNumber(ReceivedFrame frame);

    /** Returns scapy's condition for frames to an address. */
    abstract String isTo(String address);

    /** Returns scapy's condition for errors to host a. */
    abstract String isError();

    /** Asserts that a frame is an error about a host that does not answer. */
    abstract void assertUnreachable(ReceivedFrame error);

    /** Returns scapy's condition for questions of the router for the gateway. */
    abstract String isQuestion();

    /** Asserts that a question of the router has the right addresses. */
    abstract void assertQuestion(ReceivedFrame question);

    @BeforeEach
    final void routeByAnUnknownGateway()
    {
        endAnswers();
        // Also a permanent entry, which no flush removes.
        lab.router().run("sh", "-c", "ip neighbor delete " + gateway + " dev r1 2>/dev/null; true");
        changeRoute("replace", prefix, "via", gateway);
        lab.awaitUnresolved(destination, gateway);
    }

    @AfterEach
    final void restore()
    {
        endAnswers();
        changeRoute("delete", prefix);
    }

    private void endAnswers()
    {
        lab.b().host().run("sh", "-c", "ip address delete " + gateway + "/" + length + " dev b0 2>/dev/null; true");
    }

    final void answerAtB()
    {
        lab.b().host().run("sh", "-c", "ip address add " + gateway + "/" + length + " dev b0 " +
            (gateway.contains(":") ? "nodad" : ""));
    }

    /** RFC 1122 section 2.3.2.2, RFC 4861 section 7.2.2: frames wait for the neighbour and leave in their order. */
    @Test
    void shouldHoldFramesUntilTheNeighborAnswersAndKeepTheirOrder()
    {
        lab.b().clear();
        final Fates before = lab.fates();
        lab.a().send(frames(5));
        if (before.known())
        {
            Observation.awaitFates(lab, before, fates -> fates.count("held") == 5);
        }
        assertEquals(List.of(), lab.b().receive(1, Duration.ofMillis(150), isTo(destination)));
        answerAtB();
        // Linux holds three and a bit; the router promises all that it has room for.
        final List<ReceivedFrame> released = lab.b().receive(before.known() ? 5 : 3, PATIENCE, isTo(destination));
        if (before.known())
        {
            assertEquals(List.of(1, 2, 3, 4, 5), released.stream().map(this::forwardedNumber).toList());
            Observation.awaitFates(
                lab, before, fates -> fates.count("held") == 0 && fates.count("forwarded") == 5);
        }
        released.forEach(frame -> assertEquals(lab.b().macAddress(), frame.destination()));
    }

    /** More frames than may wait are dropped, and that is counted; the ones that wait are not replaced. */
    @Test
    void shouldDropAndCountWhatIsTooMuchToHold()
    {
        lab.assumeRouter("the kernel's limit is not ours");
        lab.b().clear();
        final Fates before = lab.fates();
        lab.a().send(frames(40));
        final Fates after = Observation.awaitFates(
            lab, before, fates -> fates.count("held") + fates.count("hold-full") == 40);
        assertTrue(after.count("hold-full") > 0, after::toString);
        answerAtB();
        final int held = (int)after.count("held");
        assertEquals(IntStream.rangeClosed(1, held).boxed().toList(),
            lab.b().receive(held, PATIENCE, isTo(destination)).stream().map(this::forwardedNumber).toList());
    }

    /**
     * RFC 1812 section 5.2.7.1, RFC 4443 section 3.1, code 3: where nobody answers, the senders are told that the host
     * is unreachable.
     */
    @Test
    void shouldAnswerUnreachableWhenNobodyAnswers()
    {
        lab.a().clear();
        final Fates before = lab.fates();
        lab.a().send(frames(1));
        awaitUnreachable();
        if (before.known())
        {
            Observation.awaitFates(
                lab, before, fates -> fates.count("neighbor-unresolved") == 1 && fates.count("held") == 0);
        }
    }

    final void awaitUnreachable()
    {
        final List<ReceivedFrame> errors = lab.a().receive(1, PATIENCE, isError());
        assertEquals(1, errors.size(), "no error");
        assertUnreachable(errors.get(0));
    }

    /** A neighbour that comes with another link-layer address gets its frames there: the kernel's entry changes. */
    @Test
    void shouldFollowAChangedLinkLayerAddress()
    {
        replaceNeighbor(lab.b().macAddress());
        awaitDestination(lab.b().macAddress());
        replaceNeighbor(OTHER_MAC);
        awaitDestination(OTHER_MAC);
    }

    private void replaceNeighbor(final String mac)
    {
        lab.router().run("ip", "neighbor", "replace", gateway, "lladdr", mac, "dev", "r1");
    }

    /** An address that was given to the kernel stays, whether anybody answers there or not. */
    @Test
    void shouldLeavePermanentNeighborsAlone()
    {
        lab.router().run("ip", "neighbor", "replace", gateway, "lladdr", OTHER_MAC, "dev", "r1", "nud", "permanent");
        awaitDestination(OTHER_MAC);
        pause();
        awaitDestination(OTHER_MAC);
        final String neighbor = lab.router().run("ip", "neighbor", "show", "to", gateway);
        assertTrue(neighbor.contains("PERMANENT"), neighbor);
    }

    /** A neighbour that has gone is asked for again; nothing more is sent to where it was. */
    @Test
    void shouldAskAgainForANeighborThatHasGone()
    {
        replaceNeighbor(OTHER_MAC);
        awaitDestination(OTHER_MAC);
        lab.router().run("ip", "neighbor", "delete", gateway, "dev", "r1");
        final List<ReceivedFrame> questions = new ArrayList<>();
        Await.until("the router to know that the neighbour has gone, and to ask", () ->
        {
            lab.b().clear();
            lab.a().send(frames(1));
            questions.addAll(lab.b().receive(1, Duration.ofSeconds(1), isQuestion()));
            return !questions.isEmpty();
        });
        assertQuestion(questions.get(0));
        answerAtB();
        final List<String> seen = awaitDestination(lab.b().macAddress());
        assertFalse(seen.contains(OTHER_MAC), seen::toString);
    }

    /** Held frames do not stand in the way of others on the same port. */
    @Test
    void shouldForwardToOthersWhileFramesAreHeld()
    {
        lab.a().send(frames(3));
        final String other = gateway.contains(":") ? RouterLab.BEYOND_B6 + "1" : RouterLab.BEYOND_B + "1";
        final Observation seen = fromA(frame(other, 1));
        assertEquals(1, seen.atB().stream()
            .filter(frame -> other.equals(frame.isIp() ? frame.ip().destination() : frame.ipv6().destination()))
            .count(), seen::toString);
        answerAtB();
        pause();
    }

    /** Sends frames until one arrives with a MAC address, and returns the addresses of all. */
    final List<String> awaitDestination(final String macAddress)
    {
        final List<String> seen = new ArrayList<>();
        Await.until(() -> "frames to " + macAddress + ", not " + seen, () ->
        {
            lab.b().clear();
            lab.a().send(frames(1));
            lab.b().receive(1, Duration.ofSeconds(1), isTo(destination))
                .forEach(frame -> seen.add(frame.destination()));
            return seen.contains(macAddress);
        });
        return seen;
    }

    final String[] frames(final int count)
    {
        return IntStream.rangeClosed(1, count).mapToObj(number -> frame(destination, number)).toArray(String[]::new);
    }

    private static void pause()
    {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1500));
    }
}
