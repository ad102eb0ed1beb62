package org.fibnuma.bench.router;

import com.fasterxml.jackson.databind.JsonNode;
import org.agrona.CloseHelper;
import org.fibnuma.bench.lab.Frr;
import org.fibnuma.bench.lab.HostPrograms;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.core.Await;
import org.fibnuma.core.Require;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Two routers that are a virtual router (VRRP) for the hosts on both sides. Address 1 of each network, the gateway, and
 * its MAC address are those of the router that is in charge.
 * <pre>
 *   left ---+--- r0 first  r1 ---+--- right
 *  10.0.0.2 +--- r0 second r1 ---+ 10.0.1.2
 * </pre>
 */
@NamespaceTest({"ping", "keepalived"})
class VrrpSystemTest
{
    private static final int MTU = 1500;
    private static final String LEFT_MAC = "00:00:5e:00:01:33";
    private static final String RIGHT_MAC = "00:00:5e:00:01:34";
    private static final String KEEPALIVED = """
        global_defs {
          vrrp_version 3
        }
        vrrp_sync_group both {
          group {
            left
            right
          }
        }
        vrrp_instance left {
          interface r0
          virtual_router_id 51
          %1$s
        }
        vrrp_instance right {
          interface r1
          virtual_router_id 52
          %2$s
        }
        """;
    private static final String INSTANCE = """
        state BACKUP
          use_vmac
          advert_int 0.1
          priority %d
          virtual_ipaddress {
            %s
          }""";

    @AutoClose
    private final RouterLifeLab first = RouterLifeLab.unconnected();
    @AutoClose
    private final RouterLifeLab second = RouterLifeLab.unconnected();
    @TempDir
    private Path directory;

    private void connect()
    {
        connect(first.left(), "r0", "10.0.0.");
        connect(first.right(), "r1", "10.0.1.");
    }

    private void connect(final Host host, final String device, final String network)
    {
        host.connect("p1", first.router(), device, MTU);
        host.connect("p2", second.router(), device, MTU);
        host.run("ip", "link", "add", "br0", "type", "bridge");
        for (final String port : List.of("p1", "p2"))
        {
            host.run("ip", "link", "set", port, "master", "br0");
        }
        host.run("ip", "link", "set", "br0", "up");
        host.address("br0", network + "2/24");
        first.router().address(device, network + "3/24");
        second.router().address(device, network + "4/24");
        host.run("ip", "route", "add", "default", "via", network + "1");
    }

    /** The packets of a flow go on while the first router leaves and comes back. */
    @Test
    void shouldForwardForTheVirtualRouterThatKeepalivedMakes() throws IOException
    {
        connect();
        first.start();
        second.start();
        ChildProcess ofFirst = null;
        ChildProcess ofSecond = null;
        try (ChildProcess pings = first.left().start("ping", "-n", "-i", "0.02", "10.0.1.2"))
        {
            ofSecond = keepalived(second.router(), "second", 100);
            awaitForwarding(second, "the only router");
            ofFirst = keepalived(first.router(), "first", 150);
            awaitForwarding(first, "the router with the higher priority");
            assertMacvlans(first);
            ofFirst.terminate();
            awaitForwarding(second, "the router that is left");
            Await.until("no macvlan interfaces", () -> first.ask("ports").path("vlans").isEmpty());
            ofFirst.close();
            ofFirst = keepalived(first.router(), "first", 150);
            awaitForwarding(first, "the router that is back");
            assertTrue(pings.isAlive());
        }
        finally
        {
            CloseHelper.closeAll(ofFirst, ofSecond);
        }
        assertGoesOn();
    }

    /** As FRR documents it, with interfaces in bridge mode: the kernel sends by them, routes lead by r0 and r1. */
    @Test
    void shouldForwardForTheVirtualRouterOfFrr() throws IOException
    {
        Require.that(Frr.isInstalled(), Frr.MISSING);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        connect();
        first.start();
        second.start();
        try (Frr ofFirst = frr(first, "first", 200); Frr ofSecond = frr(second, "second", 100))
        {
            awaitForwarding(first, "the router with the higher priority");
            ofFirst.kill("vrrpd");
            first.shell("ip link set v51 down; ip link set v52 down");
            awaitForwarding(second, "the router that is left");
            assertTrue(ofSecond.show("show vrrp").contains("Master"));
        }
        assertGoesOn();
    }

    /** Pings arrive, and the router forwards them both ways, not its kernel. */
    private void awaitForwarding(final RouterLifeLab router, final String which)
    {
        Await.until(() -> which + " forwards, not " + first.log() + second.log(), () ->
        {
            final long before = router.forwarded();
            return HostPrograms.pings(first.left(), "10.0.1.2", 3, 1) && router.forwarded() >= before + 6;
        });
    }

    private static void assertMacvlans(final RouterLifeLab router)
    {
        final JsonNode vlans = router.ask("ports").path("vlans");
        assertEquals(List.of(LEFT_MAC, RIGHT_MAC), vlans.findValuesAsText("mac"));
        assertEquals(List.of("left", "right"), vlans.findValuesAsText("port"));
        for (final JsonNode vlan : vlans)
        {
            assertTrue(vlan.path("macvlan").asBoolean() && vlan.path("rxFrames").asLong() > 0, vlan::toString);
        }
        assertTrue(router.ask("host").path("restrictions").isEmpty(), () -> router.ask("host").toString());
    }

    private void assertGoesOn()
    {
        for (final RouterLifeLab router : List.of(first, second))
        {
            router.assertBalanced();
            router.assertVerified();
        }
    }

    private ChildProcess keepalived(final Host router, final String name, final int priority) throws IOException
    {
        final Path config = Files.writeString(directory.resolve(name + ".conf"), KEEPALIVED.formatted(
            INSTANCE.formatted(priority, "10.0.0.1"), INSTANCE.formatted(priority, "10.0.1.1")));
        return router.start("keepalived", "--vrrp", "--dont-fork", "--log-console", "--use-file", config.toString(),
            "--pid", directory.resolve(name + ".pid").toString(),
            "--vrrp_pid", directory.resolve(name + "-vrrp.pid").toString());
    }

    private Frr frr(final RouterLifeLab router, final String name, final int priority) throws IOException
    {
        // Otherwise r0 answers ARP for the address of v51 too, and of a router that is not in charge.
        router.router().sysctl("ipv4.conf.all.arp_ignore", "1");
        router.shell(macvlan("r0", "v51", LEFT_MAC, "10.0.0.1/24") + macvlan("r1", "v52", RIGHT_MAC, "10.0.1.1/24"));
        final Frr frr = new Frr(router.router(), Files.createDirectory(directory.resolve(name)));
        frr.start("zebra");
        frr.startConfigured("vrrpd", List.of(
            "interface r0", " vrrp 51 version 3", " vrrp 51 priority " + priority,
            " vrrp 51 advertisement-interval 100", " vrrp 51 ip 10.0.0.1",
            "interface r1", " vrrp 52 version 3", " vrrp 52 priority " + priority,
            " vrrp 52 advertisement-interval 100", " vrrp 52 ip 10.0.1.1"));
        return frr;
    }

    private static String macvlan(final String device, final String name, final String mac, final String address)
    {
        return "ip link add " + name + " link " + device + " address " + mac + " type macvlan mode bridge;" +
            "ip address add " + address + " dev " + name + "; ip link set " + name + " up;";
    }
}
