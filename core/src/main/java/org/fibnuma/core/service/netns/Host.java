package org.fibnuma.core.service.netns;

import org.fibnuma.core.UserException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * A network namespace of this machine that acts as a host. It has no name and lasts as long as a child process, which
 * ends when this process ends. IPv6 is off until {@link #enableIpv6}, so that the kernel sends no frames of its own
 * accord. A {@code device} is the name of a device of this host.
 */
public final class Host implements AutoCloseable
{
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int RECEIVED_FRAMES_COLUMN = 1;

    private static final String HOLD =
        "mount -t sysfs none /sys && ip link set lo up && " +
        "if [ -d /proc/sys/net/ipv6 ]; then " +
        "echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6; echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6; fi; " +
        "echo held && exec cat";

    private static final String UTIL = "util-linux";

    private final String label;
    private final ChildProcess holder;

    private Host(final String label, final ChildProcess holder)
    {
        this.label = label;
        this.holder = holder;
    }

    /**
     * Returns why this process cannot make namespaces, and what to do; null if it can.
     *
     * @param command command to be repeated as root, such as {@code ./fibnuma demo}; part of the message.
     */
    public static String obstacle(final String command)
    {
        if (!"root".equals(System.getProperty("user.name")))
        {
            return "only root may make network namespaces (sudo " + command + ")";
        }
        return missingProgram();
    }

    private static String missingProgram()
    {
        for (final String[] program : new String[][] {{"ip", "iproute2"}, {"nsenter", UTIL}, {"unshare", UTIL}})
        {
            if (!ChildProcess.isInstalled(program[0]))
            {
                return program[0] + " is missing (apt-get install " + program[1] + ")";
            }
        }
        return null;
    }

    /**
     * Makes a namespace that has a loopback device only. The label identifies it in messages.
     *
     * @throws UserException if that is not allowed or a program is missing.
     */
    public static Host open(final String label)
    {
        final String missing = missingProgram();
        if (missing != null)
        {
            throw new UserException("no network namespace " + label + ": " + missing);
        }
        final ChildProcess holder = ChildProcess.start("unshare", "--net", "--mount", "sh", "-c", HOLD);
        try
        {
            holder.awaitLine("held"::equals, PATIENCE);
        }
        catch (final UserException ex)
        {
            holder.kill();
            throw new UserException("no network namespace " + label + ": " + ex.getMessage(), ex);
        }
        return new Host(label, holder);
    }

    /**
     * Connects this host to another by a veth pair with one queue in each direction, and sets both ends up. The MTU of
     * both ends is in bytes.
     */
    public void connect(final String device, final Host peer, final String peerDevice, final int mtu)
    {
        connect(device, peer, peerDevice, mtu, 1);
    }

    /**
     * Connects this host as {@link #connect(String, Host, String, int)} does.
     *
     * @param peerQueues queues of the other end in each direction, all in use; {@code ethtool -L} may reduce them.
     */
    public void connect(
        final String device, final Host peer, final String peerDevice, final int mtu, final int peerQueues)
    {
        final String queues = Integer.toString(peerQueues);
        run("ip", "link", "add", device, "mtu", Integer.toString(mtu), "numrxqueues", "1", "numtxqueues", "1",
            "type", "veth", "peer", "name", peerDevice, "mtu", Integer.toString(mtu),
            "numrxqueues", queues, "numtxqueues", queues, "netns", Long.toString(peer.holder.pid()));
        run("ip", "link", "set", device, "up");
        peer.run("ip", "link", "set", peerDevice, "up");
    }

    /** Moves a device from another host to this one, renames it and sets it up. */
    public void take(final Host from, final String fromDevice, final String device)
    {
        from.run("ip", "link", "set", fromDevice, "netns", Long.toString(holder.pid()), "name", device);
        run("ip", "link", "set", device, "up");
    }

    /** Returns the path of the namespace file, for a thread that enters it; valid until {@link #close()}. */
    public String namespaceFile()
    {
        return "/proc/" + holder.pid() + "/ns/net";
    }

    /** Adds an address with its length, such as {@code 10.0.0.1/24}, to a device. */
    public void address(final String device, final String prefix)
    {
        run("ip", "address", "add", prefix, "dev", device);
    }

    /** Sets a kernel variable below {@code net}, such as {@code ipv4.ip_forward}. */
    public void sysctl(final String name, final String value)
    {
        run("sh", "-c", "echo " + value + " >/proc/sys/net/" + name.replace('.', '/'));
    }

    /**
     * Switches IPv6 on for all devices, without duplicate address detection, so that addresses can be used at once. The
     * kernel sends frames of its own accord from then on, such as router solicitations and multicast listener reports.
     */
    public void enableIpv6()
    {
        run("sh", "-c", "cd /proc/sys/net/ipv6/conf && for device in */; do echo 0 >$device/accept_dad; done; " +
            "echo 0 >all/disable_ipv6");
    }

    /** Returns the MAC address of a device, such as {@code 02:00:00:00:00:01}. */
    public String macAddress(final String device)
    {
        return run("cat", "/sys/class/net/" + device + "/address").trim();
    }

    /** Returns how many frames a device has received since it was made. */
    public long receivedFrames(final String device)
    {
        return Long.parseLong(statistics(device)[RECEIVED_FRAMES_COLUMN]);
    }

    private String[] statistics(final String device)
    {
        final Path file = Path.of("/proc/" + holder.pid() + "/net/dev");
        try (Stream<String> lines = Files.lines(file))
        {
            return lines.map(String::trim)
                .filter(line -> line.startsWith(device + ":"))
                .map(line -> line.substring(device.length() + 1).trim().split(" +"))
                .findFirst()
                .orElseThrow(() -> new UserException("no device " + device + " in " + label));
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot read the counters of " + device + " in " + label, ex);
        }
    }

    /**
     * Runs a program in this host to its end and returns its standard output.
     *
     * @throws UserException if it fails.
     */
    public String run(final String... command)
    {
        return ChildProcess.run(PATIENCE, command(command));
    }

    /** Starts a program in this host. The kernel kills it when the calling thread ends. */
    public ChildProcess start(final String... command)
    {
        return ChildProcess.start(command(ChildProcess.tied(command)));
    }

    /**
     * Returns the command line that runs a program in this host, with the current root directory of this process
     * (chroot).
     */
    public String[] command(final String... command)
    {
        return ChildProcess.concat(
            new String[] {"nsenter", "--target", Long.toString(holder.pid()), "--net", "--mount", "--root", "--wd",
                "--"},
            command);
    }

    /** Returns the label of the host, for messages. */
    @Override
    public String toString()
    {
        return label;
    }

    /** Releases the namespace. The kernel removes it and its devices when the last program in it has ended. */
    @Override
    public void close()
    {
        holder.kill();
        holder.close();
    }
}
