package org.fibnuma.bench.router;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.core.Await;
import org.fibnuma.core.service.netns.Host;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The rules of a host with a VPN or several providers. The differential test compares drawn rules with the kernel. */
@NamespaceTest("ping")
class PolicyRoutingSystemTest
{
    private static final int PINGS = 20;

    @AutoClose
    private final RouterLifeLab lab = RouterLifeLab.open();
    @AutoClose
    private final Host other = Host.open("other");

    /** The rules that wg-quick makes for a tunnel that has the default route, with a veth device as the tunnel. */
    @Test
    void shouldForwardPastTheTunnelOfWgQuick()
    {
        lab.connect(other, "wg0", "10.0.2.");
        lab.forwardIpv6();
        lab.shell("""
            ip route add default dev wg0 table 51820
            ip rule add not fwmark 51820 table 51820
            ip rule add table main suppress_prefixlength 0
            ip -6 route add default dev wg0 table 51820
            ip -6 rule add not fwmark 51820 table 51820
            ip -6 rule add table main suppress_prefixlength 0
            ip route add default via 10.0.1.2
            """);
        other.run("ip", "address", "add", "198.51.100.1/32", "dev", "lo");
        lab.start();
        assertEquals(List.of(), restrictions());

        pings("10.0.1.2", RouterLifeLab.RIGHT_IPV6);
        assertTrue(lab.forwarded() >= 2 * PINGS, () -> lab.ask("drops").toString());
        lab.left().run("ping", "-n", "-q", "-c", "3", "-W", "5", "198.51.100.1");

        lab.shell("ip rule del table main suppress_prefixlength 0; ip -6 rule del table main suppress_prefixlength 0");
        Await.until("every packet to go by the tunnel", () -> !pingsOnce("10.0.1.2"));
        lab.shell("ip rule del table 51820; ip -6 rule del table 51820");
        Await.until("every packet to go by the main table", () -> pingsOnce("10.0.1.2"));
        assertVerified();
    }

    /** Table 220 is empty until a tunnel is up, and has a route for each remote network then. */
    @Test
    void shouldFollowTheTableOfStrongSwan()
    {
        lab.shell("ip rule add table 220 prio 220");
        lab.start();
        assertEquals(List.of(), restrictions());
        pings("10.0.1.2");
        lab.shell("ip route add blackhole 10.0.1.0/24 table 220");
        Await.until("the route of table 220", () -> !pingsOnce("10.0.1.2"));
        lab.shell("ip route del blackhole 10.0.1.0/24 table 220");
        Await.until("no route in table 220", () -> pingsOnce("10.0.1.2"));
        assertVerified();
    }

    /** Each of two senders behind one port has a provider of its own, and errors go back to it. */
    @Test
    void shouldRouteBySource()
    {
        lab.connect(other, "r2", "10.0.2.");
        lab.left().run("ip", "address", "add", "10.0.0.3/24", "dev", "h0");
        for (final Host provider : List.of(lab.right(), other))
        {
            provider.run("ip", "address", "add", "198.51.100.1/32", "dev", "lo");
        }
        lab.shell("""
            ip route add default via 10.0.1.2 table 101
            ip route add default via 10.0.2.2 table 102
            ip route add prohibit 203.0.113.0/24 table 102
            ip rule add from 10.0.0.2 table 101
            ip rule add from 10.0.0.3 iif r0 table 102
            """);
        lab.startConfigured(lab.config() + RouterLifeLab.port("other", "xdp:r2"));
        assertEquals(List.of(), restrictions());
        for (final String source : List.of("10.0.0.2", "10.0.0.3"))
        {
            lab.left().run("ping", "-n", "-q", "-c", "5", "-W", "5", "-I", source, "198.51.100.1");
        }
        final JsonNode ports = lab.ask("ports").get("ports");
        for (final int provider : List.of(1, 2))
        {
            assertTrue(ports.get(provider).get("txFrames").asLong() >= 5, ports::toString);
        }
        final String refused = lab.left().run("sh", "-c", "ping -n -c 1 -W 5 -I 10.0.0.3 203.0.113.1 || true");
        assertTrue(refused.contains("Packet filtered"), refused);
        assertVerified();
        lab.assertBalanced();
    }

    private List<String> restrictions()
    {
        return lab.ask("host").path("restrictions").findValuesAsText("text");
    }

    private void pings(final String... destinations)
    {
        for (final String destination : destinations)
        {
            lab.left().run("ping", "-n", "-q", "-c", Integer.toString(PINGS), "-i", "0.02", "-W", "5", destination);
        }
    }

    private boolean pingsOnce(final String destination)
    {
        return lab.left().run("sh", "-c", "ping -n -q -c 1 -W 0.5 " + destination + " >&2 && echo yes || true")
            .contains("yes");
    }

    private void assertVerified()
    {
        final JsonNode verified = lab.ask("verify");
        assertTrue(verified.get("equal").asBoolean(), verified::toString);
    }
}
