package org.fibnuma.bench.lab;

import org.fibnuma.core.AllOrNothing;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Two hosts on veth pairs with a router between them, each in a network namespace.
 * <pre>
 *   left h0 ==== r0 router r1 ==== h0 right
 * </pre>
 * The links are 10.0.0.0/24 and 10.0.1.0/24; the router is host 1 of both. Further links of either host follow with
 * {@link #addLink}. Needs root.
 */
public final class RoutedHosts implements AutoCloseable
{
    /** Interface of each host. */
    public static final String HOST_DEVICE = "h0";
    /** Interface of the router at the left host. */
    public static final String LEFT_DEVICE = "r0";
    /** Interface of the router at the right host. */
    public static final String RIGHT_DEVICE = "r1";
    /** Address of the left host, which the caller sets where it is needed. */
    public static final String LEFT = "10.0.0.2";
    /** Address of the right host, which the caller sets where it is needed. */
    public static final String RIGHT = "10.0.1.2";
    /** Network to which a rig may route by the left host, one of those for documentation (RFC 5737). */
    public static final String LEFT_NETWORK = "192.0.2.0/24";
    /** The same of IPv6 (RFC 3849). */
    public static final String LEFT_NETWORK_IPV6 = "2001:db8::/64";

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final String RULES = """
        table inet filter {
          chain forward {
            type filter hook forward priority 0; policy drop;
            ct state established,related accept
            iifname "r0" oifname "r1" ct state new accept
          }
        }
        table ip nat {
          chain postrouting {
            type nat hook postrouting priority 100; policy accept;
            oifname "r1" masquerade
          }
        }
        """;
    private static final String FLOWTABLE = "add flowtable inet filter fast " +
        "{ hook ingress priority 0; devices = { " + LEFT_DEVICE + ", " + RIGHT_DEVICE + " }; }; " +
        "insert rule inet filter forward ct state established flow add @fast";

    private final Host left = Host.open("left");
    private final Host router = Host.open("router");
    private final Host right = Host.open("right");
    private final List<Link> links = new ArrayList<>();
    private final int mtu;

    /**
     * A link of the router.
     *
     * @param host         at its other end.
     * @param hostDevice   interface of the host.
     * @param routerDevice interface of the router.
     * @param hostAddress  address for the host, which the caller sets where it is needed.
     */
    public record Link(Host host, String hostDevice, String routerDevice, String hostAddress)
    {
    }

    private RoutedHosts(final int mtu)
    {
        this.mtu = mtu;
    }

    /**
     * Creates the hosts and the links.
     *
     * @param mtu of both links.
     */
    public static RoutedHosts open(final int mtu)
    {
        return AllOrNothing.open(new RoutedHosts(mtu), hosts ->
        {
            hosts.addLink(hosts.left);
            hosts.addLink(hosts.right);
        });
    }

    /**
     * Connects the router with the left or the right host by a further link. Link N is 10.0.N.0/24; its interface is rN
     * at the router.
     */
    public void addLink(final Host host)
    {
        final int number = links.size();
        final Link link = new Link(host, "h" + links(host).size(), "r" + number, "10.0." + number + ".2");
        host.connect(link.hostDevice, router, link.routerDevice, mtu);
        router.address(link.routerDevice, "10.0." + number + ".1/24");
        links.add(link);
    }

    /** Returns the links of the left or the right host. */
    public List<Link> links(final Host host)
    {
        return links.stream().filter(link -> link.host == host).toList();
    }

    /** Returns the left host. */
    public Host left()
    {
        return left;
    }

    /** Returns the router's host. */
    public Host router()
    {
        return router;
    }

    /** Returns the right host. */
    public Host right()
    {
        return right;
    }

    /** Turns the kernel's forwarding of IPv4 on or off. The router forwards only where the kernel would. */
    public void kernelForwarding(final boolean on)
    {
        router.sysctl("ipv4.ip_forward", on ? "1" : "0");
    }

    /**
     * Sets or removes a stateful filter of the router's host, which accepts connections from left to right, and their
     * masquerading. Connection tracking forgets all connections. Needs nft and conntrack.
     */
    public void filter(final boolean filtered)
    {
        router.run("nft", "flush", "ruleset");
        if (filtered)
        {
            router.run("nft", RULES);
        }
        router.run("sh", "-c", "conntrack -F 2>&1 | cat");
    }

    /**
     * Lets the kernel forward the packets of established connections by a flowtable, past the filter that is set, until
     * {@link #filter} is called again.
     *
     * @return why the kernel refuses, in one line; null if it does not.
     */
    public String offload()
    {
        try (ChildProcess nft = router.start("nft", FLOWTABLE))
        {
            return nft.awaitExit(PATIENCE) == 0 ? null :
                "the kernel refuses a flowtable (CONFIG_NF_FLOW_TABLE_INET, CONFIG_NFT_FLOW_OFFLOAD): " +
                nft.errors().get(0);
        }
    }

    /**
     * Starts the router over AF_XDP on all links, with the kernel's forwarding on.
     *
     * @param name     of the router.
     * @param settings lines of its table {@code [router]}.
     * @return the running router; the caller closes it.
     * @throws org.fibnuma.core.UserException if the router does not start; the message contains its error lines.
     */
    public RouterProcess startRouter(final String name, final String... settings)
    {
        kernelForwarding(true);
        return RouterProcess.start(router, RouterProcess.table(name, settings) + links.stream()
            .map(link -> RouterProcess.xdpPort(link.routerDevice, link.routerDevice)).collect(Collectors.joining()),
            PATIENCE);
    }

    @Override
    public void close()
    {
        right.close();
        router.close();
        left.close();
    }
}
