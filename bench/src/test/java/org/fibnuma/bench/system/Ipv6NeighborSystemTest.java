package org.fibnuma.bench.system;

import org.fibnuma.core.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static org.fibnuma.bench.system.RouterLab.A6;
import static org.fibnuma.bench.system.RouterLab.BEYOND_B6;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** IPv6 next hops that are unknown, change, or go: RFC 4861 section 7. The kernel's neighbour discovery finds them. */
@ExtendWith(LabExtension.class)
class Ipv6NeighborSystemTest
{
    private static final String GATEWAY = "2001:db8:b::77";
    private static final String NETWORK = "2001:db8:128::";
    private static final String PREFIX = NETWORK + "/48";
    private static final String OTHER_MAC = "02:00:00:00:00:99";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TO_NETWORK = "IPv6 in p and p[IPv6].dst.startswith('" + NETWORK + "')";
    private static final String IS_ERROR = "IPv6 in p and p[IPv6].dst == '" + A6 + "' and ICMPv6DestUnreach in p";

    private final RouterLab lab;

    Ipv6NeighborSystemTest(final RouterLab lab)
    {
        this.lab = lab;
    }

    @BeforeEach
    void routeByAnUnknownGateway()
    {
        forgetGateway();
        lab.route6("replace", PREFIX, "via", GATEWAY);
        lab.awaitUnresolved(NETWORK + "1", GATEWAY);
    }

    @AfterEach
    void restore()
    {
        lab.b().host().run("sh", "-c", "ip address delete " + GATEWAY + "/64 dev b0 2>/dev/null; true");
        lab.route6("delete", PREFIX);
    }

    /** Also an entry that was given to the kernel, which no flush removes. */
    private void forgetGateway()
    {
        lab.router().run("sh", "-c", "ip neighbor delete " + GATEWAY + " dev r1 2>/dev/null; true");
    }

    private void answerAtB()
    {
        lab.b().host().run("ip", "address", "add", GATEWAY + "/64", "dev", "b0", "nodad");
    }

    /** RFC 4861 section 7.2.2: packets wait while the neighbour is solicited, and then leave in their order. */
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
        answerAtB();
        final List<ReceivedFrame> released = lab.b().receive(before.known() ? 5 : 3, PATIENCE, TO_NETWORK);
        // Linux holds three; the router promises all that it has room for.
        if (before.known())
        {
            assertEquals(IntStream.rangeClosed(1, 5).boxed().collect(Collectors.toList()), ids(released));
            Observation.awaitFates(
                lab, before, fates -> fates.count("held") == 0 && fates.count("forwarded") == 5);
        }
        released.forEach(frame -> assertEquals(lab.b().macAddress(), frame.destination()));
        released.forEach(frame -> assertEquals(63, frame.ipv6().hopLimit()));
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
        answerAtB();
        final int held = (int)after.count("held");
        final List<Integer> released = ids(lab.b().receive(held, PATIENCE, TO_NETWORK));
        assertEquals(IntStream.rangeClosed(1, held).boxed().collect(Collectors.toList()), released);
    }

    /** RFC 4443 section 3.1, code 3: where nobody answers, the senders are told. */
    @Test
    void shouldAnswerUnreachableWhenNobodyAnswers()
    {
        lab.a().clear();
        final Fates before = lab.fates();
        lab.a().send(frames(1, 1));
        final List<ReceivedFrame> errors = lab.a().receive(1, PATIENCE, IS_ERROR);
        assertEquals(1, errors.size(), "no error");
        assertEquals(1, errors.get(0).icmpv6().type());
        assertEquals(3, errors.get(0).icmpv6().code());
        assertTrue(errors.get(0).icmpv6().checksumRight(), errors::toString);
        if (before.known())
        {
            Observation.awaitFates(
                lab, before, fates -> fates.count("neighbor-unresolved") == 1 && fates.count("held") == 0);
        }
    }

    /** RFC 4861 section 7.2.2: the same for a destination on a connected prefix, its own next hop. */
    @Test
    void shouldAnswerUnreachableForMissingHostsOnLink()
    {
        lab.a().clear();
        lab.a().send("TO_ROUTER/IPv6(src='" + A6 + "', dst='2001:db8:b::dead')/UDP(sport=1, dport=2)");
        final List<ReceivedFrame> errors = lab.a().receive(1, PATIENCE, IS_ERROR);
        assertEquals(1, errors.size(), "no error");
        assertEquals(3, errors.get(0).icmpv6().code());
    }

    /** A neighbour that comes with another link-layer address gets its frames there: the kernel's entry changes. */
    @Test
    void shouldFollowAChangedLinkLayerAddress()
    {
        lab.router().run("ip", "neighbor", "replace", GATEWAY, "lladdr", lab.b().macAddress(), "dev", "r1");
        awaitDestination(lab.b().macAddress());
        lab.router().run("ip", "neighbor", "replace", GATEWAY, "lladdr", OTHER_MAC, "dev", "r1");
        awaitDestination(OTHER_MAC);
    }

    /** RFC 4861 section 7.2.6: an unsolicited advertisement with the override flag tells a new link-layer address. */
    @Test
    void shouldFollowAnAdvertisedLinkLayerAddress()
    {
        answerAtB();
        lab.b().clear();
        lab.a().send(frames(1, 1));
        assertEquals(lab.b().macAddress(), lab.b().receive(1, PATIENCE, TO_NETWORK).get(0).destination());
        lab.b().send("Ether(src=TO_ROUTER.src, dst='33:33:00:00:00:01')/IPv6(src='" + GATEWAY +
            "', dst='ff02::1', hlim=255)/ICMPv6ND_NA(tgt='" + GATEWAY + "', R=0, S=0, O=1)/" +
            "ICMPv6NDOptDstLLAddr(lladdr='" + OTHER_MAC + "')");
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
        final String neighbor = lab.router().run("ip", "-6", "neighbor", "show", "to", GATEWAY);
        assertTrue(neighbor.contains("PERMANENT"), neighbor);
    }

    /** RFC 4861 section 7.2.2: a neighbour that has gone is solicited again by its solicited-node multicast address. */
    @Test
    void shouldSolicitAgainANeighborThatHasGone()
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
                1, Duration.ofSeconds(1), "ICMPv6ND_NS in p and p[ICMPv6ND_NS].tgt == '" + GATEWAY + "'"));
            return !questions.isEmpty();
        });
        assertEquals("ff02::1:ff00:77", questions.get(0).ipv6().destination());
        assertEquals("33:33:ff:00:00:77", questions.get(0).destination());
        assertEquals(lab.router().macAddress("r1"), questions.get(0).source());
        assertEquals(255, questions.get(0).ipv6().hopLimit());
        answerAtB();
        lab.b().clear();
        final List<ReceivedFrame> forwarded = new ArrayList<>();
        Await.until("a frame to be forwarded; a slow machine answers when the one that waited was dropped", () ->
        {
            lab.a().send(frames(1, 1));
            forwarded.addAll(lab.b().receive(1, Duration.ofSeconds(1), TO_NETWORK));
            return !forwarded.isEmpty();
        });
        assertEquals(lab.b().macAddress(), forwarded.get(0).destination());
    }

    /** Held frames do not stand in the way of others on the same port. */
    @Test
    void shouldForwardToOthersWhileFramesAreHeld()
    {
        lab.a().send(frames(1, 3));
        final Observation seen = Observation.of(lab, lab.a(),
            "TO_ROUTER/IPv6(src='" + A6 + "', dst='" + BEYOND_B6 + "1')/UDP(sport=1, dport=2)");
        assertEquals(1, seen.atB().stream().filter(ReceivedFrame::isIpv6).count());
        answerAtB();
        pause(Duration.ofMillis(1500));
    }

    /** RFC 8950: IPv4 and IPv6 wait for the same neighbour, and both leave when it answers. */
    @Test
    void shouldHoldBothFamiliesForOneNeighbor()
    {
        lab.assumeRouter("Linux does not hold so many");
        lab.route("replace", "198.18.7.0/24", "via", "inet6", GATEWAY);
        lab.awaitUnresolved("198.18.7.1", GATEWAY);
        lab.b().clear();
        lab.a().send("TO_ROUTER/IPv6(src='" + A6 + "', dst='" + NETWORK + "1')/UDP(sport=1, dport=2)",
            "TO_ROUTER/IP(src='10.0.0.2', dst='198.18.7.1')/UDP(sport=1, dport=2)");
        pause(Duration.ofMillis(50));
        answerAtB();
        final List<ReceivedFrame> frames = lab.b().receive(
            2, PATIENCE, TO_NETWORK + " or IP in p and p[IP].dst == '198.18.7.1'");
        lab.route("delete", "198.18.7.0/24");
        assertEquals(2, frames.size(), frames::toString);
        frames.forEach(frame -> assertEquals(lab.b().macAddress(), frame.destination()));
    }

    private void awaitDestination(final String macAddress)
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
    }

    private static List<Integer> ids(final List<ReceivedFrame> frames)
    {
        return frames.stream()
            .map(frame -> frame.ipv6().fields().get("flowLabel").asInt()).collect(Collectors.toList());
    }

    private static String[] frames(final int first, final int last)
    {
        return IntStream.rangeClosed(first, last)
            .mapToObj(id -> "TO_ROUTER/IPv6(src='" + A6 + "', dst='" + NETWORK + "1', fl=" + id +
                ", hlim=64)/UDP(sport=1, dport=2)")
            .toArray(String[]::new);
    }

    private static void pause(final Duration duration)
    {
        LockSupport.parkNanos(duration.toNanos());
    }
}
