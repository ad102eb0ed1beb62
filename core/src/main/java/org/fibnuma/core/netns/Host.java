package org.fibnuma.core.netns;

import org.fibnuma.core.UserException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * A host of its own in this machine: a network namespace without a name, which lives as long as the program that
 * holds it, and that one reads from us and ends when we do. IPv6 is off in it, so that nothing but what is asked for
 * is on its links.
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
     * Why there can be no hosts on this machine, in a few words with what to type; asked before the first one by
     * commands that can do without.
     *
     * @param command to repeat as root, such as {@code ./fibnuma demo}.
     * @return the reason, or null where there can.
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
     * Makes a namespace with nothing but a loopback in it.
     *
     * @param label for messages.
     * @return the namespace.
     * @throws UserException where that is not allowed here or a program for it is missing.
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
     * Lays a cable: a veth pair with one queue each way, up.
     *
     * @param device     name of our end.
     * @param peer       the other host.
     * @param peerDevice name of its end.
     * @param mtu        of both ends in bytes.
     */
    public void connect(final String device, final Host peer, final String peerDevice, final int mtu)
    {
        run("ip", "link", "add", device, "mtu", Integer.toString(mtu), "numrxqueues", "1", "numtxqueues", "1",
            "type", "veth", "peer", "name", peerDevice, "mtu", Integer.toString(mtu),
            "numrxqueues", "1", "numtxqueues", "1", "netns", Long.toString(peer.holder.pid()));
        run("ip", "link", "set", device, "up");
        peer.run("ip", "link", "set", peerDevice, "up");
    }

    /**
     * Takes a device away from another host, under another name, and sets it up.
     *
     * @param from       the host that has it.
     * @param fromDevice its name there.
     * @param device     its name here.
     */
    public void take(final Host from, final String fromDevice, final String device)
    {
        from.run("ip", "link", "set", fromDevice, "netns", Long.toString(holder.pid()), "name", device);
        run("ip", "link", "set", device, "up");
    }

    /**
     * Makes the kernel of this host cut what TCP sends to the MTU, where a device would take up to 64 KiB at once.
     * Needs ethtool.
     *
     * @param device of this host.
     */
    public void withoutSegmentationOffload(final String device)
    {
        run("ethtool", "-K", device, "tso", "off");
    }

    /**
     * The namespace as a file, for a thread that enters it.
     *
     * @return path of the file, valid until {@link #close()}.
     */
    public String namespaceFile()
    {
        return "/proc/" + holder.pid() + "/ns/net";
    }

    /**
     * Gives a device an address.
     *
     * @param device of this host.
     * @param prefix address and length, such as {@code 10.0.0.1/24}.
     */
    public void address(final String device, final String prefix)
    {
        run("ip", "address", "add", prefix, "dev", device);
    }

    /**
     * Sets a kernel variable of this host.
     *
     * @param name  below {@code net}, with dots, such as {@code ipv4.ip_forward}.
     * @param value to write.
     */
    public void sysctl(final String name, final String value)
    {
        run("sh", "-c", "echo " + value + " >/proc/sys/net/" + name.replace('.', '/'));
    }

    /**
     * The link-layer address of a device.
     *
     * @param device of this host.
     * @return such as {@code 02:00:00:00:00:01}.
     */
    public String macAddress(final String device)
    {
        return run("cat", "/sys/class/net/" + device + "/address").trim();
    }

    /**
     * How many frames a device has received.
     *
     * @param device of this host.
     * @return the count since the device was made.
     */
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
     * Runs a program in this host to its end.
     *
     * @param command the program and its arguments.
     * @return what it printed on its standard output.
     * @throws UserException where it fails.
     */
    public String run(final String... command)
    {
        return ChildProcess.run(PATIENCE, command(command));
    }

    /**
     * Starts a program in this host. It is killed when the calling thread ends, so that it never outlives us: call it
     * from a thread that lasts.
     *
     * @param command the program and its arguments.
     * @return the running program.
     */
    public ChildProcess start(final String... command)
    {
        return ChildProcess.start(command(ChildProcess.tied(command)));
    }

    /**
     * The command line that runs a program in this host.
     *
     * @param command the program and its arguments.
     * @return the same, behind what enters the namespace.
     */
    public String[] command(final String... command)
    {
        return ChildProcess.concat(
            new String[] {"nsenter", "--target", Long.toString(holder.pid()), "--net", "--mount", "--wd", "--"},
            command);
    }

    /**
     * For messages.
     *
     * @return the label that it was opened with.
     */
    @Override
    public String toString()
    {
        return label;
    }

    /** Lets the namespace go, and with it its devices, once the last program in it has ended. */
    @Override
    public void close()
    {
        holder.kill();
        holder.close();
    }
}
