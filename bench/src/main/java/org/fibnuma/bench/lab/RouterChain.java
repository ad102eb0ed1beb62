package org.fibnuma.bench.lab;

import org.fibnuma.core.AllOrNothing;
import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.fibnuma.ipnuma.demo.EndpointAddress;
import org.fibnuma.ipnuma.demo.PingPongPlace;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A client and a server on veth pairs with a chain of routers between them, each in a network namespace.
 * <pre>
 *   client vb ==== r0 router 1 r1 ==== r0 router 2 r1 ==== va server
 *      10.8.0.0/24           10.8.1.0/24          10.8.2.0/24
 * </pre>
 * Host 1 of each link is its end towards the client, host 2 the other one. Host 9 is the endpoint of the client or of
 * the server, on the same interface as the kernel's address.
 * <p>
 * Threads that poll are busy if every router, the client and the server can have a core. Otherwise they yield, because
 * a thread that is busy delays the next one on its core by a time slice of some milliseconds. Needs root.
 */
public final class RouterChain implements PingPongPlace
{
    /** Most routers of a chain. */
    public static final int MOST = 16;

    private static final String NEAR_DEVICE = "r0";
    private static final String FAR_DEVICE = "r1";
    private static final int NEAR_END = 1;
    private static final int FAR_END = 2;
    private static final int ENDPOINT = 9;
    private static final int LENGTH = 24;
    private static final int MTU = 1500;
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    /** Datagrams of a Fibnuma router for one that its kernel may forward, such as the first to a neighbour. */
    private static final int FEW = 100;
    private static final int FORWARDED_COLUMN = 6;

    private final Routers routers;
    private final String idle;
    /** Client, routers and server. */
    private final List<Host> hosts = new ArrayList<>();
    private final List<RouterProcess> processes = new ArrayList<>();
    private List<Forwarded> before;

    /**
     * Datagrams that a router has forwarded.
     *
     * @param byKernel  by its kernel.
     * @param byFibnuma by its process, 0 without one.
     */
    private record Forwarded(long byKernel, long byFibnuma)
    {
    }

    private RouterChain(final Routers routers)
    {
        this.routers = routers;
        idle = routers.count() + 2 <= Runtime.getRuntime().availableProcessors() ?
            IdleStrategies.BUSY : IdleStrategies.YIELD;
    }

    /**
     * Creates the hosts and starts the routers.
     *
     * @param routers 1 to {@link #MOST}.
     * @throws UserException if a router does not start; the message contains its error lines.
     */
    public static RouterChain open(final Routers routers)
    {
        return AllOrNothing.open(new RouterChain(routers), chain ->
        {
            chain.connect();
            chain.start();
            chain.before = chain.forwarded();
        });
    }

    private void connect()
    {
        final int last = routers.count();
        hosts.add(Host.open("client"));
        for (int i = 1; i <= last; i++)
        {
            hosts.add(Host.open("router " + i));
        }
        hosts.add(Host.open("server"));
        for (int link = 0; link <= last; link++)
        {
            final String near = link == 0 ? CLIENT_DEVICE : FAR_DEVICE;
            final String far = link == last ? SERVER_DEVICE : NEAR_DEVICE;
            hosts.get(link).connect(near, hosts.get(link + 1), far, MTU);
            hosts.get(link).address(near, address(link, NEAR_END) + "/" + LENGTH);
            hosts.get(link + 1).address(far, address(link, FAR_END) + "/" + LENGTH);
        }
        for (int i = 0; i < hosts.size(); i++)
        {
            if (i > 1)
            {
                route(hosts.get(i), 0, address(i - 1, NEAR_END));
            }
            if (i < last)
            {
                route(hosts.get(i), last, address(i, FAR_END));
            }
        }
    }

    private static void route(final Host host, final int link, final String gateway)
    {
        host.run("ip", "route", "add", address(link, 0) + "/" + LENGTH, "via", gateway);
    }

    private static String address(final int link, final int number)
    {
        return "10.8." + link + "." + number;
    }

    private void start()
    {
        for (int i = 1; i <= routers.count(); i++)
        {
            hosts.get(i).sysctl("ipv4.ip_forward", "1");
            if (routers.kind() == Routers.Kind.FIBNUMA)
            {
                processes.add(RouterProcess.start(hosts.get(i),
                    RouterProcess.table(name(i), "idle = \"" + idle + "\"") +
                        RouterProcess.xdpPort("near", NEAR_DEVICE) + RouterProcess.xdpPort("far", FAR_DEVICE),
                    PATIENCE, RouterProcess.BOTH_COMPILERS));
            }
        }
    }

    private static String name(final int router)
    {
        return "bench-chain-" + ProcessHandle.current().pid() + "-" + router;
    }

    /** Returns the host of a router, from 1 at the client. */
    Host router(final int number)
    {
        return hosts.get(number);
    }

    /**
     * Checks that the routers of this chain have forwarded what was measured since the chain was opened or checked.
     *
     * @param datagrams number that every router must have forwarded at least.
     * @throws UserException if a router has forwarded fewer, or the kernel has forwarded in place of Fibnuma.
     */
    public void verify(final long datagrams)
    {
        final List<Forwarded> now = forwarded();
        for (int i = 0; i < now.size(); i++)
        {
            final long byKernel = now.get(i).byKernel() - before.get(i).byKernel();
            final long byFibnuma = now.get(i).byFibnuma() - before.get(i).byFibnuma();
            final boolean isKernel = routers.kind() == Routers.Kind.KERNEL;
            if ((isKernel ? byKernel : byFibnuma) < datagrams || !isKernel && byKernel * FEW > byFibnuma)
            {
                throw new UserException(String.format(
                    "router %d of %s: %d datagrams were forwarded by the kernel and %d by Fibnuma, of at least %d",
                    i + 1, routers, byKernel, byFibnuma, datagrams));
            }
        }
        before = now;
    }

    private List<Forwarded> forwarded()
    {
        final List<Forwarded> all = new ArrayList<>();
        for (int i = 1; i <= routers.count(); i++)
        {
            all.add(new Forwarded(ofKernel(hosts.get(i)), processes.isEmpty() ? 0 : ofFibnuma(i)));
        }
        return all;
    }

    /** Returns ForwDatagrams of the second line "Ip:", which has the values. */
    private static long ofKernel(final Host host)
    {
        return host.run("cat", "/proc/net/snmp").lines().filter(line -> line.startsWith("Ip:")).skip(1)
            .mapToLong(line -> Long.parseLong(line.split(" ")[FORWARDED_COLUMN])).sum();
    }

    private static long ofFibnuma(final int router)
    {
        try (ControlClient client = ControlClient.connect(name(router)))
        {
            return client.ask(ControlProtocol.request("drops")).path("ipv4Forwarded").asLong();
        }
        catch (final IOException ex)
        {
            throw new UserException("router " + router + " does not answer: " + ex.getMessage(), ex);
        }
    }

    @Override
    public String description()
    {
        return "network namespaces with " + routers + " between them";
    }

    @Override
    public String socketAddress()
    {
        return address(routers.count(), FAR_END) + ":9000";
    }

    @Override
    public boolean hasInterfaces()
    {
        return true;
    }

    @Override
    public EndpointAddress serverEndpoint()
    {
        final int last = routers.count();
        return new EndpointAddress(SERVER_ID, address(last, ENDPOINT), LENGTH, address(last, NEAR_END));
    }

    @Override
    public EndpointAddress clientEndpoint()
    {
        return new EndpointAddress(CLIENT_ID, address(0, ENDPOINT), LENGTH, address(0, FAR_END));
    }

    @Override
    public String idle()
    {
        return idle;
    }

    @Override
    public ChildProcess startServer(final String... command)
    {
        return hosts.get(routers.count() + 1).start(command);
    }

    @Override
    public ChildProcess startClient(final String... command)
    {
        return hosts.get(0).start(command);
    }

    @Override
    public void close()
    {
        processes.forEach(RouterProcess::close);
        hosts.forEach(Host::close);
    }
}
