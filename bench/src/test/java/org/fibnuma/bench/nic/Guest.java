package org.fibnuma.bench.nic;

import org.agrona.CloseHelper;
import org.fibnuma.bench.BenchCommand;
import org.fibnuma.bench.lab.ClassDataArchives;
import org.fibnuma.core.Require;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.service.netns.JavaProgram;
import org.fibnuma.fibnic.warmup.WarmUp;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * A virtual machine with emulated network cards and real drivers, for routers under test. Its processor is emulated in
 * software, so that it needs no support of the machine. It runs commands with this machine's programs, whose files it
 * has read-only, as root. The other end of each card's cable is a tap device of the host.
 * <pre>
 *  Host left, device h0 == card [ guest: router ] card == h0, Host right
 * </pre>
 * Used by one thread; the kernel kills the machine when that thread ends.
 */
public final class Guest implements AutoCloseable
{
    /** For anything that the guest does at once on a quiet machine; long, because the guest is slow. */
    public static final Duration PATIENCE = Duration.ofSeconds(300);

    /** JVM flag: as many batches as the JIT's first tier needs; the default takes the guest seconds. */
    static final String SHORT_WARM_UP = "-D" + WarmUp.BATCHES_PROPERTY + "=300";

    private static final String MAIN_CLASS = "org.fibnuma.fibnic.command.FibnumaCommand";
    private static final String TEMPORARY_FILES = "-Djava.io.tmpdir=/run/tmp";
    private static final String READY = "ready";
    /** An igb reserves the slot 16 above its own for virtual functions, and two igb in adjacent slots fail. */
    private static final int FIRST_SLOT = 4;
    private static final int SLOTS_PER_NIC = 2;
    /**
     * Most boots of a machine: the kernel patches its own code behind an int3, and sometimes an emulated processor
     * executes that int3 when the patch is complete, at which the kernel panics.
     */
    private static final int BOOTS = 3;

    /** Of this process, for all its guests; made with the flags of the guests' JVMs. */
    private static Path classData;

    /** Without the units that look after all files of the machine, for which the guest is too slow. */
    private static final String SYSTEMD = " fibnuma.systemd systemd.unit=sysinit.target systemd.show_status=0" +
        " systemd.mask=systemd-tmpfiles-setup.service systemd.mask=systemd-hwdb-update.service" +
        " systemd.mask=ldconfig.service";

    private final List<GuestNic> nics;
    private final boolean hasSystemd;
    private final Path directory;
    private final Host outside;
    private Path modules;
    private ChildProcess machine;
    private ChildProcess forwarding;
    private int commands;

    private Guest(final List<GuestNic> nics, final boolean hasSystemd) throws IOException
    {
        this.nics = nics;
        this.hasSystemd = hasSystemd;
        this.directory = Files.createTempDirectory("fibnuma-guest-");
        this.outside = Host.open("outside");
    }

    /**
     * Boots a machine, or ends the test with the reason why it cannot.
     *
     * @param nics cards, in the order of their PCI addresses; at most six.
     * @return the machine; its interfaces have their names and are down.
     */
    public static Guest boot(final GuestNic... nics)
    {
        return boot(false, nics);
    }

    /**
     * Boots a machine with systemd, as {@link #boot(GuestNic...)} does. All its files can be written, and the changes
     * are lost with the machine.
     *
     * @param nics as of {@link #boot(GuestNic...)}.
     * @return the machine, in which {@code sysinit.target} is reached and no other unit is started.
     */
    static Guest bootSystemd(final GuestNic... nics)
    {
        Require.that(Files.exists(Path.of("/lib/systemd/systemd")), "needs systemd: apt-get install systemd");
        final Guest guest = boot(true, nics);
        try
        {
            guest.run("until systemctl -q is-active sysinit.target; do sleep 0.5; done");
            return guest;
        }
        catch (final RuntimeException ex)
        {
            guest.close();
            throw ex;
        }
    }

    private static Guest boot(final boolean hasSystemd, final GuestNic... nics)
    {
        Require.root();
        Require.program("ip", "iproute2");
        Require.program("ethtool", "ethtool");
        try
        {
            final GuestImage image = GuestImage.find();
            archiveClasses();
            final Guest guest = new Guest(List.of(nics), hasSystemd);
            try
            {
                guest.start(image);
                return guest;
            }
            catch (final RuntimeException | IOException ex)
            {
                guest.close();
                throw ex;
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** The guest loads and verifies classes slowly: this machine makes archives of them. */
    private static synchronized void archiveClasses() throws IOException
    {
        if (classData == null)
        {
            final Path made = Files.createTempDirectory("fibnuma-guest-classes-");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> deleteClassData(made)));
            ClassDataArchives.write(made, flagged(ClassDataArchives.java(), "-Djava.io.tmpdir=/tmp"));
            classData = made;
        }
    }

    private static void deleteClassData(final Path made)
    {
        try
        {
            ClassDataArchives.delete(made);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private void start(final GuestImage image) throws IOException
    {
        modules = image.installed();
        Files.createDirectory(share());
        final List<String> names = new ArrayList<>();
        for (int i = 0; i < nics.size(); i++)
        {
            names.add(macAddress(nics.get(i).name()) + " " + nics.get(i).name());
        }
        final String[] command = command(image, image.memoryDisk(directory, names)).toArray(new String[0]);
        for (int boot = 1; !comesUp(command); boot++)
        {
            if (boot == BOOTS)
            {
                throw new UserException("the guest's kernel panicked in " + BOOTS + " boots: " + lastWords());
            }
        }
        for (final GuestNic nic : nics)
        {
            if (nic.model() != GuestNic.Model.E1000)
            {
                run("ethtool -L " + nic.name() + " combined " + nic.queues() + " || [ $? = 80 ]");
            }
        }
    }

    /** Returns whether the machine is up; false if its kernel has panicked. */
    private boolean comesUp(final String[] command)
    {
        CloseHelper.close(machine);
        machine = outside.start(command);
        try
        {
            machine.awaitLine(line -> line.contains("guest is up"), PATIENCE);
            return true;
        }
        catch (final UserException ex)
        {
            final String words = lastWords();
            if (words.contains("Kernel panic"))
            {
                return false;
            }
            throw new UserException("the guest does not come up: " + words, ex);
        }
    }

    private List<String> command(final GuestImage image, final Path memoryDisk)
    {
        final List<String> command = new ArrayList<>(image.qemu());
        command.addAll(List.of(
            "-machine", "q35", "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2", "-m", "2048",
            "-nodefaults", "-display", "none", "-no-reboot", "-serial", "stdio",
            "-kernel", image.kernel().toString(), "-initrd", memoryDisk.toString(),
            "-chardev", "socket,id=monitor,path=" + monitor() + ",server=on,wait=off",
            "-mon", "chardev=monitor,mode=control",
            "-append", "console=ttyS0 quiet panic=-1 net.ifnames=0" + (hasSystemd ? SYSTEMD : ""),
            "-fsdev", "local,id=host,path=/,security_model=none,readonly=on,multidevs=remap",
            "-device", "virtio-9p-pci,fsdev=host,mount_tag=host,addr=0x2",
            "-fsdev", "local,id=share,path=" + share() + ",security_model=none",
            "-device", "virtio-9p-pci,fsdev=share,mount_tag=share,addr=0x3"));
        for (int i = 0; i < nics.size(); i++)
        {
            final GuestNic nic = nics.get(i);
            command.addAll(List.of(
                "-netdev", "tap,id=" + nic.name() + ",ifname=" + tap(i) + ",script=no,downscript=no" +
                    (nic.model().isVirtio() ? ",queues=2" : ""),
                "-device", nic.model().device() + "," + nic.model().options() + ",id=card-" + nic.name() +
                    ",netdev=" + nic.name() + ",addr=0x" + Integer.toHexString(slot(i)) +
                    ",mac=" + macAddress(nic.name())));
        }
        return command;
    }

    /** Returns the MAC address of a card. */
    public String macAddress(final String nic)
    {
        return String.format("02:00:00:00:01:%02x", indexOf(nic));
    }

    /** Returns the PCI address of a card in the guest. */
    String pciAddress(final String nic)
    {
        return String.format("0000:00:%02x.0", slot(indexOf(nic)));
    }

    /**
     * Connects a card to a host: moves the other end of its cable there and sets it up.
     *
     * @param nic    name of the card.
     * @param host   to connect, in which the tap device exists as long as the host and the guest.
     * @param device name of the tap device in the host.
     */
    public void connect(final String nic, final Host host, final String device)
    {
        host.take(outside, tap(indexOf(nic)), device);
    }

    /**
     * Passes connections to a UNIX socket of this machine on to one of the guest, through a card; once for a guest.
     *
     * @param nic         name of a card that nothing else uses.
     * @param guestSocket on which a process of the guest will listen.
     * @param socket      of this machine, which the kernel does not remove.
     */
    void forward(final String nic, final Path guestSocket, final Path socket)
    {
        final String port = "4000";
        outside.run("ip", "link", "set", tap(indexOf(nic)), "up");
        outside.address(tap(indexOf(nic)), "169.254.9.1/30");
        run("ip address add 169.254.9.2/30 dev " + nic + " && ip link set " + nic + " up");
        start("exec socat TCP-LISTEN:" + port + ",fork,reuseaddr UNIX-CONNECT:" + guestSocket);
        forwarding = outside.start(
            "socat", "UNIX-LISTEN:" + socket + ",fork,unlink-early", "TCP:169.254.9.2:" + port);
    }

    /** Takes cards from the kernel's driver and gives them to uio_pci_generic, and reserves 256 MB of huge pages. */
    void giveToDpdk(final String... names)
    {
        run("echo 128 >/proc/sys/vm/nr_hugepages");
        for (final String nic : names)
        {
            run("cd /sys/bus/pci && echo uio_pci_generic >devices/" + pciAddress(nic) + "/driver_override && echo " +
                pciAddress(nic) + " >devices/" + pciAddress(nic) + "/driver/unbind && echo " + pciAddress(nic) +
                " >drivers/uio_pci_generic/bind");
        }
    }

    /** Pulls the cable of a card, or plugs it in again. */
    public void link(final String nic, final boolean up)
    {
        monitor("{\"execute\": \"set_link\", \"arguments\": {\"name\": \"" + nic + "\", \"up\": " + up + "}}");
    }

    /**
     * Sends a command to QEMU's machine protocol and waits for its answer.
     *
     * @param command JSON of one line.
     */
    void monitor(final String command)
    {
        try (SocketChannel monitor = SocketChannel.open(UnixDomainSocketAddress.of(monitor())))
        {
            monitor.write(ByteBuffer.wrap(
                ("{\"execute\": \"qmp_capabilities\"}\n" + command + "\n").getBytes(US_ASCII)));
            final BufferedReader answers = new BufferedReader(Channels.newReader(monitor, US_ASCII));
            int answered = 0;
            while (answered < 2)
            {
                final String line = answers.readLine();
                if (line == null || line.contains("\"error\""))
                {
                    throw new UserException("QEMU refused " + command + ": " + line);
                }
                answered += line.contains("\"return\"") ? 1 : 0;
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Starts a shell command in the guest, in the directory {@code /run/guest}.
     *
     * @param command for {@code /bin/sh}; with {@code exec} before the last program, signals go to that.
     * @return the running command.
     */
    public GuestProcess start(final String command)
    {
        final int number = commands++;
        write(number + ".sh", command + "\n");
        machine.send(Integer.toString(number));
        return new GuestProcess(this, command, share().resolve(Integer.toString(number)));
    }

    /**
     * Runs a shell command in the guest to its end.
     *
     * @param command for {@code /bin/sh}.
     * @return its output and errors.
     * @throws UserException with its output if its exit status is not 0.
     */
    public String run(final String command)
    {
        final GuestProcess process = start(command);
        final int status = process.awaitExit(PATIENCE);
        if (status != 0)
        {
            throw process.failure("failed with status " + status);
        }
        return String.join("\n", process.output());
    }

    /** Lets the guest's kernel load what commands need: the helper that it calls has this machine's modprobe. */
    public void loadModulesOnDemand()
    {
        write("modprobe",
            "#!/bin/busybox sh\nexec /bin/busybox chroot /host /sbin/modprobe -d " + modules + " \"$@\"\n");
        run("cp modprobe /proc/1/root/ && chmod +x /proc/1/root/modprobe && echo /modprobe >/proc/sys/kernel/modprobe");
    }

    /**
     * Starts a router in the guest and does not wait for it.
     *
     * @param config as TOML.
     * @param flags  additional flags of the JVM.
     * @return the router's process; it is in production mode but for a compiler that suits a slow processor.
     */
    GuestProcess launchRouter(final String config, final String... flags)
    {
        final String file = "router-" + commands + ".toml";
        write(file, config);
        return start("exec " + java(flags, "router", "-c", "/run/guest/" + file));
    }

    /**
     * Starts a router in the guest and waits until every port forwards.
     *
     * @param config as TOML.
     * @param flags  additional flags of the JVM.
     * @return the running router.
     */
    public GuestProcess startRouter(final String config, final String... flags)
    {
        final GuestProcess router = launchRouter(config, flags);
        router.awaitLine(READY::equals, PATIENCE);
        return router;
    }

    /**
     * Runs a command of the product in the guest, such as {@code show ports}.
     *
     * @return its output.
     */
    String fibnuma(final String... arguments)
    {
        return run(java(new String[0], arguments));
    }

    /** Starts a command of the bench in the guest, which may start routers, and does not wait for it. */
    GuestProcess startBench(final String... arguments)
    {
        return start("exec '" + String.join("' '", flagged(
            List.of(JavaProgram.command(BenchCommand.class.getName(), arguments)), TEMPORARY_FILES,
            "-D" + JavaProgram.CLASS_DATA_PROPERTY + "=" + classData.resolve(ClassDataArchives.ROUTER))) + "'");
    }

    /** Starts a command of the product in the guest, such as {@code trace}, and does not wait for it. */
    GuestProcess startFibnuma(final String... arguments)
    {
        return start("exec " + java(new String[0], arguments));
    }

    private static String java(final String[] flags, final String... arguments)
    {
        final List<String> command = flagged(List.of(JavaProgram.command(MAIN_CLASS, arguments)),
            TEMPORARY_FILES,
            "-XX:SharedArchiveFile=" + classData.resolve(arguments[0].equals("router") ?
                ClassDataArchives.ROUTER : ClassDataArchives.COMMAND));
        command.addAll(command.indexOf("-cp"), List.of(flags));
        return "'" + String.join("' '", command) + "'";
    }

    /** The guest has little memory, its processor compiles slowly, and the machine's own files cannot be written. */
    private static List<String> flagged(final List<String> java, final String... more)
    {
        final List<String> command = new ArrayList<>(java);
        command.removeIf(argument -> argument.startsWith("-Xms") || argument.startsWith("-XX:+UseZ") ||
            argument.startsWith("-XX:+ZG") || argument.equals("-XX:+AlwaysPreTouch") ||
            argument.startsWith("-XX:SharedArchiveFile="));
        command.addAll(1, List.of("-XX:TieredStopAtLevel=1", SHORT_WARM_UP, "-XX:+UseSerialGC", "-Xmx256m",
            "-XX:-UsePerfData", "-Xshare:auto"));
        command.addAll(1, List.of(more));
        return command;
    }

    /** Returns whether the machine runs. */
    boolean isUp()
    {
        return machine.isAlive();
    }

    /** Returns the end of the console's output and QEMU's errors. */
    String lastWords()
    {
        final List<String> console = machine.output();
        return String.join("\n", console.subList(Math.max(0, console.size() - 20), console.size())) +
            String.join("\n", machine.errors());
    }

    /** Kills the machine. */
    @Override
    public void close()
    {
        if (forwarding != null)
        {
            forwarding.terminate();
            forwarding.close();
        }
        if (machine != null)
        {
            machine.kill();
            machine.close();
        }
        outside.close();
        try (Stream<Path> files = Files.walk(directory))
        {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Copies a file of this machine into the directory in which commands start. */
    void share(final Path file)
    {
        try
        {
            Files.copy(file, share().resolve(file.getFileName()));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Writes a file into the directory in which commands start. */
    void write(final String file, final String text)
    {
        try
        {
            Files.writeString(share().resolve(file), text);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private int indexOf(final String nic)
    {
        for (int i = 0; i < nics.size(); i++)
        {
            if (nics.get(i).name().equals(nic))
            {
                return i;
            }
        }
        throw new IllegalArgumentException("the guest has no card " + nic);
    }

    private static int slot(final int index)
    {
        return FIRST_SLOT + index * SLOTS_PER_NIC;
    }

    private static String tap(final int index)
    {
        return "q" + index;
    }

    private Path share()
    {
        return directory.resolve("share");
    }

    private Path monitor()
    {
        return directory.resolve("monitor.sock");
    }
}
