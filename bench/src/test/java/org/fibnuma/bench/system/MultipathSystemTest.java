package org.fibnuma.bench.system;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.CommandLineOutput;
import org.fibnuma.bench.lab.Frr;
import org.fibnuma.core.UserException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Flows from host a to networks behind hosts b and c, which the kernel's routes have as next hops of one route. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MultipathSystemTest
{
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int FLOWS = 40;
    private static final int FIRST_PORT = 5000;
    private static final String BEYOND = "203.0.200.1";
    private static final String BEYOND6 = "2001:db8:77::1";
    private static final String B = "10.0.1.2";
    private static final String C = "10.0.3.2";
    private static final String C6 = "2001:db8:c::2";
    /** Of host b too, by another network of the same link. */
    private static final String B_BY_31 = "10.0.2.1";
    private static final String B_BY_127 = "2001:db8:b:1::1";

    @AutoClose
    private RouterLab lab;

    @BeforeAll
    void startTheRouter()
    {
        lab = RouterLab.open("multipath");
        lab.startRouter();
    }

    @AfterEach
    void removeTheRoutes()
    {
        lab.router().run("sh", "-c", "ip route del 203.0.200.0/24; ip -6 route del 2001:db8:77::/48; " +
            "ip nexthop flush; exit 0");
    }

    @ParameterizedTest
    @CsvSource({"false, 0", "false, 1", "true, 0", "true, 1"})
    void shouldSendEachFlowWhereTheCommandSays(final boolean isIpv6, final int policy)
    {
        route(isIpv6, 1);
        policy(isIpv6, policy);
        final Map<Integer, String> ofOneHost = hostsOf(isIpv6, false);
        assertEquals(policy == 0 ? 1 : 2, Set.copyOf(ofOneHost.values()).size(), ofOneHost::toString);
        final Map<Integer, String> ofManyHosts = hostsOf(isIpv6, true);
        assertEquals(2, Set.copyOf(ofManyHosts.values()).size(), ofManyHosts::toString);
        assertEquals(ofManyHosts, hostsOf(isIpv6, true), "one flow keeps its next hop");
        for (int flow = 0; flow < FLOWS; flow++)
        {
            assertEquals(lookup(isIpv6, false, flow), ofOneHost.get(flow), "flow " + flow + " of one host");
            assertEquals(lookup(isIpv6, true, flow), ofManyHosts.get(flow), "flow " + flow + " of many hosts");
        }
        lab.assertVerified();
        policy(isIpv6, 0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldFollowWeightsAndTellThem(final boolean isIpv6)
    {
        route(isIpv6, 3);
        final JsonNode group = lookup(isIpv6);
        assertEquals("group", group.get("kind").asText());
        assertEquals(List.of("192", "64"), group.get("members").findValuesAsText("buckets"));
        final JsonNode route = StreamSupport.stream(lab.json("show", "routes").get("routes").spliterator(), false)
            .filter(row -> row.get("prefix").asText().equals(prefix(isIpv6))).findFirst().orElseThrow();
        assertEquals("[\"right\",\"narrow\"]", route.get("port").toString());
        assertEquals("[3,1]", route.get("weight").toString());
    }

    /** Host c's own scapy cannot receive while its link is down: what host b gets is all that there is. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLeaveOutAMemberWithoutCarrier(final boolean isIpv6)
    {
        route(isIpv6, 1);
        final Map<Integer, String> before = hostsOf(isIpv6, true);
        carrier("off");
        try
        {
            awaitBuckets(isIpv6, "[256, 0]");
            lab.b().clear();
            lab.a().send(frames(isIpv6, true));
            assertEquals(FLOWS, lab.b().receive(FLOWS, PATIENCE, "UDP in p and p[UDP].dport == 53").size());
            lab.assertVerified();
        }
        finally
        {
            carrier("on");
            meetAgain();
        }
        awaitBuckets(isIpv6, "[128, 128]");
        Frr.await(() -> "forward".equals(kindOfC(isIpv6)), "the neighbour c");
        assertEquals(before, hostsOf(isIpv6, true));
        lab.assertVerified();
    }

    /** Without the link the kernel of host c has forgotten its routes and IPv6 addresses. */
    private void meetAgain()
    {
        lab.c().host().run("sh", "-c", "ip address replace " + C6 + "/64 dev c0 nodad; " +
            "ip route replace default via 10.0.3.1; ip -6 route replace default via 2001:db8:c::1");
        try
        {
            lab.c().clear();
        }
        catch (final UserException ex)
        {
            assertTrue(ex.getMessage().contains("Network is down"), ex.getMessage());
        }
    }

    private String kindOfC(final boolean isIpv6)
    {
        return lookup(isIpv6).get("members").findValuesAsText("kind").get(1);
    }

    /** XDP ports are one end of a veth pair, which has the carrier of the other; else the TAP interface has its own. */
    private void carrier(final String state)
    {
        if (LabDevice.chosen() == LabDevice.XDP)
        {
            lab.c().host().run("ip", "link", "set", "c0", "on".equals(state) ? "up" : "down");
        }
        else
        {
            lab.router().carrier("r2", "on".equals(state));
        }
    }

    /** Host c does not answer, so that its neighbour entry fails; then it answers again. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLeaveOutAMemberWhoseNeighbourFails(final boolean isIpv6)
    {
        route(isIpv6, 1);
        final Map<Integer, String> before = hostsOf(isIpv6, true);
        lab.c().host().run("nft", "add table netdev mute; " +
            "add chain netdev mute in { type filter hook ingress device c0 priority 0; }; " +
            "add rule netdev mute in ether type arp drop; " +
            "add rule netdev mute in icmpv6 type nd-neighbor-solicit drop");
        try
        {
            lab.router().run("sh", "-c", "ip neigh del " + (isIpv6 ? C6 : C) + " dev r2; exit 0");
            awaitBuckets(isIpv6, "[256, 0]");
            assertEquals(Set.of("b"), Set.copyOf(hostsOf(isIpv6, true).values()));
            lab.assertVerified();
        }
        finally
        {
            lab.c().host().run("nft", "delete table netdev mute");
        }
        awaitBuckets(isIpv6, "[128, 128]");
        assertEquals(before, hostsOf(isIpv6, true));
        lab.assertVerified();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldFollowNextHopGroups(final boolean isIpv6)
    {
        nextHops(isIpv6);
        lab.router().run("ip", "nexthop", "add", "id", "10", "group", "1,3/2,1");
        routeBy(isIpv6, 10);
        awaitBuckets(isIpv6, "[192, 64]");
        lab.assertVerified();
        lab.router().run("ip", "nexthop", "replace", "id", "10", "group", "1,1/2,1");
        awaitBuckets(isIpv6, "[128, 128]");
        final Map<Integer, String> hosts = hostsOf(isIpv6, true);
        assertEquals(Set.of("b", "c"), Set.copyOf(hosts.values()));
        for (int flow = 0; flow < FLOWS; flow++)
        {
            assertEquals(lookup(isIpv6, true, flow), hosts.get(flow), "flow " + flow);
        }
        lab.assertVerified();
    }

    /** Members 1 and 3 are host b by two addresses, member 2 is host c and goes. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldMoveOnlyFlowsOfWhatWentFromAResilientGroup(final boolean isIpv6)
    {
        nextHops(isIpv6);
        lab.router().run("ip", "nexthop", "add", "id", "11", "group", "1/2/3", "type", "resilient", "buckets", "64",
            "idle_timer", "600");
        routeBy(isIpv6, 11);
        Frr.await(() -> lookup(isIpv6).path("buckets").asInt() == 64, "the resilient group");
        final List<String> before = nextHopsOfFlows(isIpv6);
        assertEquals(3, Set.copyOf(before).size(), before::toString);
        lab.router().run("ip", "nexthop", "replace", "id", "11", "group", "1/3", "type", "resilient");
        Frr.await(() -> lookup(isIpv6).path("members").size() == 2, "the smaller group");
        final List<String> after = nextHopsOfFlows(isIpv6);
        final String gone = isIpv6 ? C6 : C;
        for (int flow = 0; flow < FLOWS; flow++)
        {
            assertTrue(before.get(flow).equals(gone) ? !after.get(flow).equals(gone) :
                after.get(flow).equals(before.get(flow)), "flow " + flow + ": " + before + " became " + after);
        }
        assertEquals(Set.of("b"), Set.copyOf(hostsOf(isIpv6, true).values()));
        lab.assertVerified();
    }

    @Test
    void shouldRefuseAFlowThatIsNone()
    {
        assertTrue(CommandLineOutput.failing("lookup", BEYOND, "--flow", "10.0.0.2," + BEYOND + ",tcp,1", "--name",
            lab.name()).contains("is not a flow; give source,destination,protocol"));
        assertTrue(CommandLineOutput.failing("lookup", BEYOND, "--flow", "10.0.0.2,10.0.1.2,tcp,1,2", "--name",
            lab.name()).contains("the flow is to 10.0.1.2, not to " + BEYOND));
    }

    private void nextHops(final boolean isIpv6)
    {
        lab.router().run("sh", "-c",
            "ip nexthop add id 1 via " + (isIpv6 ? RouterLab.B6 : B) + " dev r1; " +
            "ip nexthop add id 2 via " + (isIpv6 ? C6 : C) + " dev r2; " +
            "ip nexthop add id 3 via " + (isIpv6 ? B_BY_127 : B_BY_31) + " dev r1");
    }

    private void routeBy(final boolean isIpv6, final int group)
    {
        change(isIpv6, "nhid", Integer.toString(group));
    }

    private void route(final boolean isIpv6, final int weightOfB)
    {
        change(isIpv6, "nexthop", "via", isIpv6 ? RouterLab.B6 : B, "dev", "r1", "weight", Integer.toString(weightOfB),
            "nexthop", "via", isIpv6 ? C6 : C, "dev", "r2", "weight", "1");
        awaitBuckets(isIpv6, weightOfB == 1 ? "[128, 128]" : "[192, 64]");
    }

    private static String prefix(final boolean isIpv6)
    {
        return isIpv6 ? "2001:db8:77::/48" : "203.0.200.0/24";
    }

    private void change(final boolean isIpv6, final String... nextHops)
    {
        lab.router().run(Stream.concat(
            Stream.of("ip", isIpv6 ? "-6" : "-4", "route", "replace", prefix(isIpv6)), Stream.of(nextHops))
            .toArray(String[]::new));
    }

    private void policy(final boolean isIpv6, final int policy)
    {
        lab.router().sysctl((isIpv6 ? "ipv6" : "ipv4") + ".fib_multipath_hash_policy", Integer.toString(policy));
        final String expected = policy == 0 ? "addresses" : "addresses, protocol, ports";
        Frr.await(() -> expected.equals(lookup(isIpv6).path("hash").asText(expected)), "the hash policy");
    }

    /** Whether the members that flows go to have neighbours that are resolved. */
    private static boolean areResolved(final JsonNode members)
    {
        return StreamSupport.stream(members.spliterator(), false).noneMatch(member ->
            member.path("buckets").asInt() > 0 && !"forward".equals(member.path("kind").asText()));
    }

    private void awaitBuckets(final boolean isIpv6, final String buckets)
    {
        Frr.await(
            () -> buckets.equals(lookup(isIpv6).path("members").findValuesAsText("buckets").toString()),
            "the buckets " + buckets + " of " + lookup(isIpv6));
    }

    private static String[] frames(final boolean isIpv6, final boolean ofManyHosts)
    {
        return IntStream.range(0, FLOWS).mapToObj(flow -> "TO_ROUTER/" + (isIpv6 ? "IPv6" : "IP") +
            "(src='" + source(isIpv6, ofManyHosts, flow) + "', dst='" + (isIpv6 ? BEYOND6 : BEYOND) +
            "')/UDP(sport=" + (FIRST_PORT + flow) + ", dport=53)/b'flow'").toArray(String[]::new);
    }

    /** By flow: the host that its packet has reached. */
    private Map<Integer, String> hostsOf(final boolean isIpv6, final boolean ofManyHosts)
    {
        // Only some frames are held for a neighbour that is not resolved yet.
        Frr.await(() -> areResolved(lookup(isIpv6).path("members")), "the neighbours");
        final Observation seen = Observation.of(lab, lab.a(), frames(isIpv6, ofManyHosts));
        final Map<Integer, String> hosts = new TreeMap<>();
        seen.atB().forEach(frame -> hosts.put(flowOf(frame), "b"));
        seen.atC().forEach(frame -> hosts.put(flowOf(frame), "c"));
        assertEquals(FLOWS, hosts.size(), () -> "flows that arrived: " + hosts + "; " + seen);
        assertEquals(FLOWS, seen.atB().size() + seen.atC().size());
        return hosts;
    }

    private static int flowOf(final ReceivedFrame frame)
    {
        final String payload = frame.isIp() ? frame.ip().payload() : frame.ipv6().payload();
        return Integer.parseInt(payload.substring(0, 4), 16) - FIRST_PORT;
    }

    private static String source(final boolean isIpv6, final boolean ofManyHosts, final int flow)
    {
        return isIpv6 ? ofManyHosts ? "2001:db8:a::" + Integer.toHexString(0x100 + flow) : RouterLab.A6 :
            ofManyHosts ? "10.0.0." + (100 + flow) : "10.0.0.2";
    }

    /** The host that a flow goes to by {@code lookup --flow}. */
    private String lookup(final boolean isIpv6, final boolean ofManyHosts, final int flow)
    {
        return "right".equals(lookupFlow(isIpv6, ofManyHosts, flow).get("port").asText()) ? "b" : "c";
    }

    private List<String> nextHopsOfFlows(final boolean isIpv6)
    {
        return IntStream.range(0, FLOWS)
            .mapToObj(flow -> lookupFlow(isIpv6, true, flow).get("nextHop").asText()).toList();
    }

    private JsonNode lookupFlow(final boolean isIpv6, final boolean ofManyHosts, final int flow)
    {
        final String destination = isIpv6 ? BEYOND6 : BEYOND;
        return lab.json("lookup", destination, "--flow", source(isIpv6, ofManyHosts, flow) + "," + destination +
            ",udp," + (FIRST_PORT + flow) + ",53");
    }

    private JsonNode lookup(final boolean isIpv6)
    {
        return lab.lookup(isIpv6 ? BEYOND6 : BEYOND);
    }
}
