package org.fibnuma.bench.differential;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.binding.netdevice.PacketSocket;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A machine that forwards, and a packet socket at the far end of each of its links. The far ends have no addresses, and
 * nothing but {@link Neighbors} answers there. Links 0 to 2 ({@code r0} to {@code r2}) are ports of the router, link 3
 * ({@code r3}) belongs to the kernel alone. Where the kernel has VLANs, link 4 is VLAN 100 of a port ({@code r4.100}).
 * For one thread.
 */
final class Lab implements AutoCloseable
{
    /** Number of links. */
    static final int LINKS = Files.exists(Path.of("/proc/net/vlan")) ? 5 : 4;
    /** MTU of a link until a command changes it. */
    static final int MTU = 1500;

    /** Link that is no port of the router. */
    private static final int KERNELS = 3;
    private static final int VLAN = 4;

    /** So many ms after the one request for it, a neighbour that does not answer has failed, in both labs. */
    private static final int NEIGHBOR_MS = 300;

    /** Commands that make both labs alike and take all limits of rate away. Each must succeed. */
    static final List<String> SETUP = setup();

    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final AtomicInteger SERIAL = new AtomicInteger();
    /** A router that starts in a second: frames come one at a time, so the second compiler has nothing to gain. */
    private static final List<String> FLAGS = List.of("-Xms64m", "-XX:-AlwaysPreTouch", "-XX:TieredStopAtLevel=1",
        "-Dfibnuma.warm-up.batches=100");

    private final Host machine;
    private final Host wire;
    private final List<PacketSocket> sockets = new ArrayList<>();
    private RouterProcess router;
    private String name;

    Lab()
    {
        machine = Host.open("machine");
        wire = Host.open("wire");
        try
        {
            for (int link = 0; link < LINKS; link++)
            {
                machine.connect(cable(link), wire, "w" + link, MTU);
            }
            final List<Integer> statuses = apply(SETUP);
            for (int i = 0; i < statuses.size(); i++)
            {
                if (statuses.get(i) != 0)
                {
                    throw new UserException("the lab cannot be set up: " + SETUP.get(i) + " failed");
                }
            }
            for (int link = 0; link < LINKS; link++)
            {
                sockets.add(new PacketSocket(wire.namespaceFile(), farEnd(link)));
            }
        }
        catch (final RuntimeException ex)
        {
            close();
            throw ex;
        }
    }

    /** Returns the name of the machine's interface at a link. */
    static String device(final int link)
    {
        return link == VLAN ? "r4.100" : cable(link);
    }

    /** Returns the name of the machine's veth device that carries a link. */
    static String cable(final int link)
    {
        return "r" + link;
    }

    /** Returns the name of the interface at the far end of a link. */
    static String farEnd(final int link)
    {
        return link == VLAN ? "w4.100" : "w" + link;
    }

    private static List<String> setup()
    {
        final List<String> commands = new ArrayList<>();
        commands.add("cd /proc/sys/net/ipv6/conf && for device in */; do echo 0 >$device/accept_dad; " +
            "echo 0 >$device/router_solicitations; echo 0 >$device/accept_ra; done && echo 0 >all/disable_ipv6");
        for (int link = 0; link < LINKS; link++)
        {
            final String change = "ip link set " + cable(link);
            // Down and up, so that the link-local address is of this MAC address.
            commands.add(change + " down && " + change + " address " +
                Neighbors.macText(link, Neighbors.MACHINE) + " && " + change + " up");
        }
        if (LINKS > VLAN)
        {
            commands.add("ip link add link r4 name r4.100 type vlan id 100 && ip link set r4.100 up");
            // XDP at r4 sees the tag only in the frame.
            commands.add("nsenter --net=$WIRE sh -c 'ethtool -K w4 txvlan off && " +
                "ip link add link w4 name w4.100 type vlan id 100 && " +
                "echo 1 >/proc/sys/net/ipv6/conf/w4.100/disable_ipv6 && ip link set w4.100 up'");
        }
        commands.add("echo 1 >/proc/sys/net/ipv4/ip_forward");
        commands.add("echo 1 >/proc/sys/net/ipv6/conf/all/forwarding");
        commands.add("echo 0 >/proc/sys/net/ipv4/icmp_ratelimit");
        commands.add("echo 1000000 >/proc/sys/net/ipv4/icmp_msgs_per_sec");
        commands.add("echo 1000000 >/proc/sys/net/ipv4/icmp_msgs_burst");
        commands.add("echo 0 >/proc/sys/net/ipv6/icmp/ratelimit");
        commands.add("for family in ipv4 ipv6; do cd /proc/sys/net/$family/neigh && for device in */; do " +
            "echo 3600000 >$device/base_reachable_time_ms; echo 3600 >$device/delay_first_probe_time; " +
            "echo 1 >$device/mcast_solicit; echo " + NEIGHBOR_MS + " >$device/retrans_time_ms; done; done");
        return commands;
    }

    /**
     * Runs commands of a shell on the machine, one after the other, also if one fails.
     *
     * @param commands such as {@code ip route add ...}; {@code $WIRE} is the network namespace of the far ends.
     * @return the exit status of each.
     */
    List<Integer> apply(final List<String> commands)
    {
        final StringBuilder script = new StringBuilder("WIRE=").append(wire.namespaceFile()).append('\n');
        for (final String command : commands)
        {
            script.append("( ").append(command).append(" ) >/dev/null 2>&1; echo $?\n");
        }
        final List<Integer> statuses = new ArrayList<>();
        for (final String line : machine.run("sh", "-c", script.toString()).split("\n"))
        {
            if (!line.isEmpty())
            {
                statuses.add(Integer.valueOf(line));
            }
        }
        return statuses;
    }

    /**
     * Starts the router on the ports.
     *
     * @throws UserException if it refuses to start; the message has its line.
     */
    void startRouter()
    {
        name = "differential-" + ProcessHandle.current().pid() + "-" + SERIAL.incrementAndGet();
        router = RouterProcess.start(machine, configuration(name), PATIENCE, FLAGS);
    }

    /** Returns what the router answers to a request without parameters. */
    JsonNode ask(final String what)
    {
        try (ControlClient client = ControlClient.connect(name))
        {
            return client.ask(ControlProtocol.request(what));
        }
        catch (final IOException ex)
        {
            throw new UserException("the router does not answer: " + String.join(" | ", router.errors()), ex);
        }
    }

    /** Returns the configuration of the router, as TOML. */
    static String configuration(final String name)
    {
        final StringBuilder text = new StringBuilder("[router]\nname = \"" + name + "\"\ncores = []\n" +
            "icmp-errors-per-second = 1000000\nicmp-error-burst = 10000\n" +
            "hold-ms = " + NEIGHBOR_MS + "\nhold-frames-per-neighbor = 64\n");
        for (int link = 0; link < LINKS; link++)
        {
            if (link != KERNELS)
            {
                text.append("[[port]]\nname = \"p").append(link).append("\"\ndevice = \"xdp:").append(cable(link))
                    .append("\"\n");
            }
        }
        return text.toString();
    }

    /**
     * Checks that the router, if it was started, still runs.
     *
     * @throws UserException with the lines that it has logged if it has ended.
     */
    void verify()
    {
        if (router != null && !router.isAlive())
        {
            throw new UserException("the router has ended: " + String.join(" | ", router.errors()));
        }
    }

    /** Sends a frame from the far end of its link; it is lost while the machine's end is down. */
    void send(final Packet packet)
    {
        try
        {
            sockets.get(packet.link()).send(packet.frame());
        }
        catch (final SystemCallException ex)
        {
            if (!Errno.ENOBUFS.is(ex.errno()) && !Errno.ENETDOWN.is(ex.errno()))
            {
                throw ex;
            }
        }
    }

    /**
     * Adds the frames that have arrived at the far ends.
     *
     * @param outcome receives them; the requests for addresses among them are answered.
     * @return whether there were any.
     */
    boolean collect(final Outcome outcome)
    {
        boolean any = false;
        for (int link = 0; link < LINKS; link++)
        {
            for (final byte[] frame : sockets.get(link).receive(0))
            {
                any = true;
                final byte[] answer = Neighbors.answer(link, frame);
                if (answer != null)
                {
                    send(new Packet(link, answer));
                }
                outcome.add(link, frame);
            }
        }
        return any;
    }

    @Override
    public void close()
    {
        if (router != null)
        {
            router.close();
        }
        sockets.forEach(PacketSocket::close);
        wire.close();
        machine.close();
    }
}
