package org.fibnuma.bench.system;

import org.fibnuma.core.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static org.fibnuma.bench.system.RouterLab.BEYOND_B;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Next hops that are unknown, change, or go: RFC 1812 section 3.3.2, RFC 826, RFC 1122 section 2.3.2. */
@ExtendWith(LabExtension.class)
class NeighborSystemTest
{
    private static final String GATEWAY = "10.0.1.77";
    private static final String NETWORK = "198.18.128.";
    private static final String OTHER_MAC = "02:00:00:00:00:99";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TO_NETWORK = "IP in p and p[IP].dst.startswith('" + NETWORK + "')";

    private final RouterLab lab;

    NeighborSystemTest(final RouterLab lab)
    {
        this.lab = lab;
    }

    @BeforeEach
    void routeByAnUnknownGateway()
    {
        withoutGateway();
        forgetGateway();
        lab.route("replace", NETWORK + "0/24", "via", GATEWAY);
        lab.awaitUnresolved(NETWORK + "1", GATEWAY);
    }

    @AfterEach
    void restore()
    {
        withoutGateway();
        lab.route("delete", NETWORK + "0/24");
    }

    /** Also a permanent entry, which no flush removes. */
    private void forgetGateway()
    {
        lab.router().run("sh", "-c", "ip neighbor delete " + GATEWAY + " dev r1 2>/dev/null; true");
    }

    private void withoutGateway()
    {
        lab.b().host().run("sh", "-c", "ip address delete " + GATEWAY + "/24 dev b0 2>/dev/null; true");
    }

    /** RFC 1122 section 2.3.2.2: frames wait while the next hop is asked for, and then leave in their order. */
    @Test
    void shouldHoldFramesUntilTheNeighborAnswersAndKeepTheirOrder()
    {
        lab.b().clear();
        final Fates before = lab.fates();
        lab.a().send(frames(1, 5));
        if (before.known())
        {
            Observation.awaitFates(lab, before, fates -> fates.count("held") == 5);
        }
        assertEquals(List.of(), lab.b().receive(1, Duration.ofMillis(150), TO_NETWORK));
        lab.b().host().address("b0", GATEWAY + "/24");
        final List<ReceivedFrame> released = lab.b().receive(5, PATIENCE, TO_NETWORK);
        // Linux holds three and a bit; the router promises all that it has room for.
        if (before.known())
        {
            assertEquals(IntStream.rangeClosed(1, 5).boxed().collect(Collectors.toList()), ids(released));
            Observation.awaitFates(
                lab, before, fates -> fates.count("held") == 0 && fates.count("forwarded") == 5);
        }
        released.forEach(frame -> assertEquals(lab.b().macAddress(), frame.destination()));
        released.forEach(frame -> assertTrue(frame.ip().checksumRight() && frame.ip().ttl() == 63));
    }

    /** More frames than may wait are dropped, and that is counted; the ones that wait are not replaced. */
    @Test
    void shouldDropAndCountWhatIsTooMuchToHold()
    {
        lab.assumeRouter("the kernel's limit is not ours");
        lab.b().clear();
        final Fates before = lab.fates();
        lab.a().send(frames(1, 40));
        final Fates after = Observation.awaitFates(
            lab, before, fates -> fates.count("held") + fates.count("hold-full") == 40);
        assertTrue(after.count("hold-full") > 0, after::toString);
        lab.b().host().address("b0", GATEWAY + "/24");
        final int held = (int)after.count("held");
        final List<Integer> released = ids(lab.b().receive(held, PATIENCE, TO_NETWORK));
        assertEquals(IntStream.rangeClosed(1, held).boxed().collect(Collectors.toList()), released);
    }

    /** RFC 1812 section 5.2.7.1: where nobody answers, the senders are told that the host is unreachable. */
    @Test
    void shouldAnswerUnreachableWhenNobodyAnswers()
    {
        lab.a().clear();
        final Fates before = lab.fates();
        lab.a().send(frames(1, 1));
        final List<ReceivedFrame> errors = lab.a().receive(1, PATIENCE, "ICMP in p");
        assertEquals(1, errors.size(), "no error");
        assertEquals(3, errors.get(0).icmp().type());
        assertEquals(1, errors.get(0).icmp().code());
        if (before.known())
        {
            Observation.awaitFates(
                lab, before, fates -> fates.count("neighbor-unresolved") == 1 && fates.count("held") == 0);
        }
    }

    /** RFC 826: a neighbour that comes with another link-layer address gets its frames there. */
    @Test
    void shouldFollowAChangedLinkLayerAddress()
    {
        lab.router().run("ip", "neighbor", "replace", GATEWAY, "lladdr", lab.b().macAddress(), "dev", "r1");
        awaitDestination(lab.b().macAddress());
        lab.router().run("ip", "neighbor", "replace", GATEWAY, "lladdr", OTHER_MAC, "dev", "r1");
        awaitDestination(OTHER_MAC);
    }

    /** An address that was given to the kernel stays, whether anybody answers there or not. */
    @Test
    void shouldLeavePermanentNeighborsAlone()
    {
        lab.router().run("ip", "neighbor", "replace", GATEWAY, "lladdr", OTHER_MAC, "dev", "r1", "nud", "permanent");
        awaitDestination(OTHER_MAC);
        pause(Duration.ofMillis(1500));
        awaitDestination(OTHER_MAC);
        final String neighbor = lab.router().run("ip", "neighbor", "show", "to", GATEWAY);
        assertTrue(neighbor.contains("PERMANENT"), neighbor);
    }

    /** A neighbour that has gone is asked for again; nothing more is sent to where it was. */
    @Test
    void shouldAskAgainForANeighborThatHasGone()
    {
        lab.router().run("ip", "neighbor", "replace", GATEWAY, "lladdr", OTHER_MAC, "dev", "r1");
        awaitDestination(OTHER_MAC);
        lab.router().run("ip", "neighbor", "delete", GATEWAY, "dev", "r1");
        final List<ReceivedFrame> questions = new ArrayList<>();
        Await.until("the router to know that the neighbour has gone, and to ask", () ->
        {
            lab.b().clear();
            lab.a().send(frames(1, 1));
            questions.addAll(lab.b().receive(
                1, Duration.ofSeconds(1), "ARP in p and p[ARP].op == 1 and p[ARP].pdst == '" + GATEWAY + "'"));
            return !questions.isEmpty();
        });
        lab.b().host().address("b0", GATEWAY + "/24");
        final List<String> seen = awaitDestination(lab.b().macAddress());
        assertFalse(seen.contains(OTHER_MAC), seen::toString);
    }

    /** Held frames do not stand in the way of others on the same port. */
    @Test
    void shouldForwardToOthersWhileFramesAreHeld()
    {
        lab.a().send(frames(1, 3));
        final Observation seen = Observation.of(lab, lab.a(),
            "TO_ROUTER/IP(src='10.0.0.2', dst='" + BEYOND_B + "1')/UDP(sport=1, dport=2)");
        assertEquals(1, seen.atB().stream().filter(ReceivedFrame::isIp).count());
        lab.b().host().address("b0", GATEWAY + "/24");
        pause(Duration.ofMillis(1500));
    }

    /** Sends frames until one arrives with a MAC address, and returns the addresses of all. */
    private List<String> awaitDestination(final String macAddress)
    {
        final List<String> seen = new ArrayList<>();
        final long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!seen.contains(macAddress))
        {
            assertTrue(System.nanoTime() < deadline, () -> "frames went to " + seen +
                (lab.fates().known() ? "; " + lab.lookup(NETWORK + "1") : ""));
            lab.b().clear();
            lab.a().send(frames(1, 1));
            lab.b().receive(1, Duration.ofSeconds(1), TO_NETWORK).forEach(frame -> seen.add(frame.destination()));
        }
        return seen;
    }

    private static List<Integer> ids(final List<ReceivedFrame> frames)
    {
        return frames.stream().map(frame -> frame.ip().id()).collect(Collectors.toList());
    }

    private static String[] frames(final int first, final int last)
    {
        return IntStream.rangeClosed(first, last)
            .mapToObj(id -> "TO_ROUTER/IP(src='10.0.0.2', dst='" + NETWORK + "1', id=" + id + ")/UDP(sport=1, dport=2)")
            .toArray(String[]::new);
    }

    private static void pause(final Duration duration)
    {
        try
        {
            Thread.sleep(duration.toMillis());
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }
}
