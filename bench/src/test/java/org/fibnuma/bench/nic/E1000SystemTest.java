package org.fibnuma.bench.nic;

import org.fibnuma.core.Require;
import org.fibnuma.core.UserException;
import org.fibnuma.core.netns.ChildProcess;
import org.fibnuma.core.netns.Host;
import org.fibnuma.core.netns.JavaProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A driver of real network cards: a virtual machine, whose processor is emulated in software, has two Intel 82540EM.
 * Its router has them from DPDK's e1000 driver by uio_pci_generic; its kernel has an interface for each. The hosts are
 * outside, at the other ends of the cards' cables. The guest's files are this machine's, read-only.
 * <pre>
 *  left 10.0.0.2 h0 == [ e1000 router e1000 ] == h0 10.0.1.2 right
 *                       10.0.0.1  10.0.1.1
 * </pre>
 */
class E1000SystemTest
{
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final long LINK_PATIENCE_NS = Duration.ofSeconds(60).toNanos();
    private static final long POLL_NS = Duration.ofMillis(20).toNanos();
    private static final String MONITOR = "monitor.sock";
    private static final List<String> CARDS = List.of("0000:00:10.0", "0000:00:11.0");
    private static final String CONFIG = String.join("\n",
        "[router]",
        "name = \"guest\"",
        "cores = []",
        "rx-ring-size = 256",
        "tx-ring-size = 256",
        "[[port]]",
        "name = \"left\"",
        "device = \"dpdk:" + CARDS.get(0) + "\"",
        "[[port]]",
        "name = \"right\"",
        "device = \"dpdk:" + CARDS.get(1) + "\"",
        "[pfc]",
        "lossless = [3]",
        "speed = \"1G\"",
        "mac = \"pause\"",
        "[[pfc.port]]",
        "name = \"right\"",
        "mac = \"pfc\"",
        "");

    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 4, unit = TimeUnit.MINUTES)
    void shouldRouteBetweenCardsWithARealDriverAndFollowTheirLinks(final TestReporter reporter) throws IOException
    {
        Require.root();
        Require.program("ip", "iproute2");
        Require.program("ping", "iputils-ping");
        Require.program("dpdk-testpmd", "dpdk");
        Require.program("qemu-system-x86_64", "qemu-system-x86");
        final GuestImage image = GuestImage.make(directory, CARDS, CONFIG, routerCommand());
        final long start = System.nanoTime();
        try (Host left = Host.open("left"); Host right = Host.open("right"); Host outside = Host.open("outside");
            ChildProcess machine = outside.start(machineCommand(image)))
        {
            machine.awaitLine(line -> line.contains("bound " + CARDS.get(1)), PATIENCE);
            connect(left, outside, "q0", "10.0.0.");
            connect(right, outside, "q1", "10.0.1.");
            machine.awaitLine(line -> line.contains("port left: ") && line.contains("net_e1000_em"), PATIENCE);
            machine.awaitLine(line -> line.contains("guest ready"), PATIENCE);
            reporter.publishEntry("seconds to a router that is ready", seconds(start));
            // The card does 802.3's PAUSE, and knows no priorities.
            awaitSaid(machine, "port left: PAUSE for the whole link is sent and obeyed by the device");
            awaitSaid(machine, "port right: PFC for priority 3 by the device is not possible");
            // A card negotiates its link for about a second after it was started, and again when it gets flow control.
            awaitSaid(machine, "port left: link up");
            awaitSaid(machine, "port right: link up");

            assertPings(left, "10.0.0.1", " ttl=64 ");
            assertPings(left, "10.0.1.2", " ttl=63 ");
            assertPings(right, "10.0.0.2", " ttl=63 ");
            assertPings(right, "10.0.0.1", " ttl=64 ");

            plug("n0", false);
            awaitPing(right, "10.0.0.2", "From 10.0.1.1 icmp_seq=1 Destination Host Unreachable");
            plug("n0", true);
            awaitPing(right, "10.0.0.2", " ttl=63 ");
            reporter.publishEntry("seconds in all", seconds(start));
            machine.kill();
        }
    }

    /** In any order: what is logged and what is printed are two streams of the guest. */
    private static void awaitSaid(final ChildProcess machine, final String text)
    {
        final long deadline = System.nanoTime() + LINK_PATIENCE_NS;
        while (machine.output().stream().noneMatch(line -> line.contains(text)))
        {
            assertTrue(System.nanoTime() < deadline && machine.isAlive(),
                () -> text + " is not in\n" + String.join("\n", machine.output()));
            LockSupport.parkNanos(POLL_NS);
        }
    }

    private static String seconds(final long start)
    {
        return String.format("%.1f", (System.nanoTime() - start) / 1e9);
    }

    private static void connect(final Host host, final Host outside, final String device, final String network)
    {
        host.take(outside, device, "h0");
        host.address("h0", network + "2/24");
        host.run("ip", "route", "add", "default", "via", network + "1");
    }

    /** Ten of ten, but for one that the link's or ARP's first moment may cost. */
    private static void assertPings(final Host from, final String address, final String ttl)
    {
        String output;
        try
        {
            output = from.run("ping", "-n", "-c", "10", "-i", "0.2", "-W", "3", address);
        }
        catch (final UserException ex)
        {
            output = ex.getMessage();
        }
        final String seen = output;
        assertTrue(seen.contains(" 10 received") || seen.contains(" 9 received"), seen);
        assertTrue(seen.contains(ttl), seen);
    }

    /** Pulls the cable of a card, or plugs it in again: two commands of QEMU's machine protocol, each answered. */
    private void plug(final String card, final boolean in) throws IOException
    {
        try (SocketChannel monitor = SocketChannel.open(UnixDomainSocketAddress.of(directory.resolve(MONITOR))))
        {
            monitor.write(ByteBuffer.wrap(("{\"execute\": \"qmp_capabilities\"}\n{\"execute\": \"set_link\", " +
                "\"arguments\": {\"name\": \"" + card + "\", \"up\": " + in + "}}\n").getBytes(US_ASCII)));
            final BufferedReader answers = new BufferedReader(Channels.newReader(monitor, US_ASCII));
            int answered = 0;
            while (answered < 2)
            {
                final String line = answers.readLine();
                assertNotNull(line, "the machine has ended");
                assertFalse(line.contains("\"error\""), line);
                answered += line.contains("\"return\"") ? 1 : 0;
            }
        }
    }

    private static void awaitPing(final Host from, final String address, final String expected)
    {
        final long deadline = System.nanoTime() + LINK_PATIENCE_NS;
        String seen = "";
        while (!seen.contains(expected))
        {
            assertTrue(System.nanoTime() < deadline, seen);
            // One that is not answered fails: what it printed counts.
            seen = from.run("sh", "-c", "ping -n -c 1 -W 1 " + address + "; true");
        }
    }

    private static String[] routerCommand()
    {
        final List<String> command = new ArrayList<>(List.of(
            JavaProgram.command("org.fibnuma.fibnic.command.FibnumaCommand", "router", "-c", "/run/router.toml")));
        // The guest has little memory, its emulated processor compiles slowly, and the machine's own files cannot be
        // written.
        command.removeIf(argument -> argument.startsWith("-Xms") || argument.startsWith("-XX:+UseZ") ||
            argument.startsWith("-XX:+ZG") || argument.equals("-XX:+AlwaysPreTouch"));
        command.addAll(1, List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m", "-XX:-UsePerfData",
            "-Djava.io.tmpdir=/run/tmp"));
        return command.toArray(new String[0]);
    }

    private String[] machineCommand(final GuestImage image)
    {
        final List<String> command = new ArrayList<>(List.of(
            "qemu-system-x86_64", "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2", "-m", "1024",
            "-nodefaults", "-display", "none", "-no-reboot", "-serial", "stdio",
            "-kernel", image.kernel().toString(), "-initrd", image.memoryDisk().toString(),
            "-chardev", "socket,id=monitor,path=" + directory.resolve(MONITOR) + ",server=on,wait=off",
            "-mon", "chardev=monitor,mode=control",
            "-append", "console=ttyS0 quiet panic=-1",
            "-fsdev", "local,id=host,path=/,security_model=none,readonly=on,multidevs=remap",
            "-device", "virtio-9p-pci,fsdev=host,mount_tag=host"));
        for (int i = 0; i < CARDS.size(); i++)
        {
            final String slot = CARDS.get(i).substring("0000:00:".length(), CARDS.get(i).indexOf('.'));
            command.addAll(List.of(
                "-netdev", "tap,id=n" + i + ",ifname=q" + i + ",script=no,downscript=no",
                "-device", "e1000,romfile=,netdev=n" + i + ",addr=0x" + slot + ",mac=02:00:00:00:01:0" + i));
        }
        return command.toArray(new String[0]);
    }
}
