package org.fibnuma.bench.product;

import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A root directory for installations: an overlay over this machine's, whose changes are in memory and end with the host
 * that has the mount. Needs no network, since the packages of this machine are installed in it.
 */
final class InstallRoot
{
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int MTU = 1500;
    /** While it exists, each installation indexes all manual pages of the machine anew (man-db's postinst). */
    private static final String MANUAL_INDEX_SWITCH = "/var/lib/man-db/auto-update";
    /** Records of dpkg, and passwd, group and their kind with backups, which every installation of a user leaves. */
    private static final String KEPT_BY_DEBIAN = "var/(lib/dpkg|log|cache)/.*|" + MANUAL_INDEX_SWITCH.substring(1) +
        "|etc/((passwd|group|g?shadow|sub[ug]id)-?|\\.pwd\\.lock)";

    private final Host host;
    private final Path directory;
    private final Path root;

    private InstallRoot(final Host host, final Path directory)
    {
        this.host = host;
        this.directory = directory;
        this.root = directory.resolve("root");
    }

    /**
     * Mounts the root.
     *
     * @param host      whose programs see it.
     * @param directory to mount it in, outside of which nobody sees it.
     */
    static InstallRoot mount(final Host host, final Path directory)
    {
        final InstallRoot made = new InstallRoot(host, directory);
        final String dir = directory.toString();
        host.run("mount", "-t", "tmpfs", "tmpfs", dir);
        host.run("mkdir", dir + "/upper", dir + "/work", made.root.toString());
        host.run("mount", "-t", "overlay", "overlay", "-o",
            "lowerdir=/,upperdir=" + dir + "/upper,workdir=" + dir + "/work", made.root.toString());
        for (final String kernel : List.of("/proc", "/sys", "/dev"))
        {
            host.run("mount", "--rbind", kernel, made.root + kernel);
        }
        for (final String volatileDirectory : List.of("/run", "/tmp", "/dev/shm"))
        {
            host.run("mount", "-t", "tmpfs", "tmpfs", made.root + volatileDirectory);
        }
        host.run("chmod", "1777", made.root + "/tmp", made.root + "/dev/shm");
        host.run("rm", "-f", made.root + MANUAL_INDEX_SWITCH);
        return made;
    }

    /** Shows a directory of this machine under {@code path} of the root. */
    void bind(final Path shown, final String path)
    {
        host.run("mkdir", "-p", root + path);
        host.run("mount", "--bind", shown.toString(), root + path);
    }

    /** Copies a file of this machine into a directory of the root; yields its new path, seen from the root. */
    String copy(final Path file, final String to)
    {
        host.run("cp", file.toString(), root + to);
        return to + "/" + file.getFileName();
    }

    /**
     * Connects another host to the one whose programs see this root. That one's address is the first of a network, the
     * other's the second, and the other's device is h0.
     *
     * @param device  of the host whose programs see this root.
     * @param network first three bytes of the network, such as {@code 10.0.0.}.
     */
    void connect(final Host other, final String device, final String network)
    {
        other.connect("h0", host, device, MTU);
        other.address("h0", network + "2/24");
        host.address(device, network + "1/24");
        other.run("ip", "route", "add", "default", "via", network + "1");
    }

    /** Installs a Debian package, or upgrades it. */
    void install(final Path deb)
    {
        run("dpkg", "--force-unsafe-io", "--force-confdef", "--force-confold", "-i", copy(deb, "/tmp"));
    }

    /** Writes a file of the root. */
    void write(final String path, final String text) throws IOException
    {
        final Path written = Files.createTempFile("fibnuma-root", "");
        try
        {
            Files.writeString(written, text);
            host.run("cp", "--no-preserve=mode", written.toString(), root + path);
            host.run("chmod", "0644", root + path);
        }
        finally
        {
            Files.delete(written);
        }
    }

    /** Runs a program in the root; yields its standard output. It fails unless the status is 0. */
    String run(final String... command)
    {
        return ChildProcess.run(PATIENCE, command(command));
    }

    /** Runs a program that fails; yields its standard error. */
    List<String> runRefused(final int status, final String... command)
    {
        try (ChildProcess child = ChildProcess.start(command(command)))
        {
            child.endInput();
            final int actual = child.awaitExit(PATIENCE);
            if (actual != status)
            {
                throw new UserException(String.join(" ", command) + " ended with status " + actual + ": " +
                    child.output() + child.errors());
            }
            return child.errors();
        }
    }

    /** Starts a program in the root. */
    ChildProcess start(final List<String> command)
    {
        return ChildProcess.start(command(command.toArray(String[]::new)));
    }

    /** Yields whether a file or directory of the root exists. */
    boolean exists(final String path)
    {
        return run("sh", "-c", "if [ -e " + path + " ]; then echo yes; fi").equals("yes");
    }

    /** Yields the files that are other than on this machine, but for records of dpkg and of its users. */
    List<String> changedFiles()
    {
        return host.run("find", directory + "/upper", "!", "-type", "d", "-printf", "%P\\n").lines()
            .filter(path -> !path.matches(KEPT_BY_DEBIAN)).sorted().collect(Collectors.toList());
    }

    private String[] command(final String... command)
    {
        final List<String> all = new ArrayList<>(List.of("chroot", root.toString(), "env", "-i", "LC_ALL=C",
            "DEBIAN_FRONTEND=noninteractive", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"));
        all.addAll(List.of(command));
        return host.command(all.toArray(String[]::new));
    }
}
