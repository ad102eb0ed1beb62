package org.fibnuma.bench.nic;

import org.fibnuma.core.Require;
import org.fibnuma.core.service.netns.ChildProcess;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** QEMU, kernel and modules as {@code .ci/fetch-guest} fetched them, and the guest's first file system. */
final class GuestImage
{
    private static final Path BUSYBOX = Path.of("/bin/busybox");
    /** The host's files and their changes; the cards; a driver for DPDK, its way to the kernel; what tests read. */
    private static final List<String> NEEDED = List.of(
        "kernel/net/9p/9pnet_virtio.ko", "kernel/fs/9p/9p.ko",
        "kernel/drivers/net/ethernet/intel/igb/igb.ko", "kernel/drivers/net/virtio_net.ko",
        "kernel/drivers/net/ethernet/intel/e1000/e1000.ko",
        "kernel/drivers/uio/uio_pci_generic.ko", "kernel/drivers/net/tun.ko",
        "kernel/net/xdp/xsk_diag.ko", "kernel/net/8021q/8021q.ko", "kernel/fs/overlayfs/overlay.ko");
    private static final String COMPRESSED = ".xz";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path fetched;
    private final Path modules;

    private GuestImage(final Path fetched, final Path modules)
    {
        this.fetched = fetched;
        this.modules = modules;
    }

    /** Finds the fetched files, or ends the test with the reason why it cannot run. */
    static GuestImage find() throws IOException
    {
        final String variable = System.getenv("FIBNUMA_GUEST");
        final Path fetched = variable == null || variable.isEmpty() ?
            Require.projectDirectory().resolve("target/guest").toAbsolutePath().normalize() : Path.of(variable);
        Require.that(Files.exists(fetched.resolve("versions")),
            "needs a virtual machine in " + fetched + ": .ci/fetch-guest");
        Require.that(Files.isExecutable(BUSYBOX), "needs " + BUSYBOX + ": apt-get install busybox-static");
        // Its libraries are those of the machine's own QEMU.
        Require.program("qemu-system-x86_64", "qemu-system-x86");
        Require.program("xz", "xz-utils");
        try (Stream<Path> versions = Files.list(fetched.resolve("kernel/lib/modules")))
        {
            return new GuestImage(fetched, versions.findFirst().orElseThrow());
        }
    }

    /** Returns QEMU's program and where it finds its own files. */
    List<String> qemu()
    {
        final Path files = fetched.resolve("qemu/usr");
        return List.of(files.resolve("bin/qemu-system-x86_64").toString(),
            "-L", files.resolve("share/qemu").toString(), "-L", files.resolve("share/seabios").toString());
    }

    /** Returns the directory that has the guest's {@code lib/modules}. */
    Path installed()
    {
        return fetched.resolve("kernel");
    }

    Path kernel()
    {
        return modules.resolve("vmlinuz");
    }

    /**
     * Makes the guest's first file system.
     *
     * @param directory to make it in.
     * @param nics      lines for init: MAC address and name of each card.
     * @return the file, for QEMU's {@code -initrd}.
     */
    Path memoryDisk(final Path directory, final List<String> nics) throws IOException
    {
        final Path root = Files.createDirectories(directory.resolve("root"));
        Files.createDirectories(root.resolve("bin"));
        Files.copy(BUSYBOX, root.resolve("bin/busybox"));
        for (final String script : List.of("init", "loop"))
        {
            try (InputStream text = GuestImage.class.getResourceAsStream("/qemu/" + script))
            {
                Files.copy(text, root.resolve(script));
            }
        }
        root.resolve("init").toFile().setExecutable(true);
        Files.write(root.resolve("nics"), nics);
        final Path target = Files.createDirectories(root.resolve("modules"));
        final StringBuilder commands = new StringBuilder("set -e\n");
        int number = 100;
        for (final String module : inOrder())
        {
            final String file = Path.of(module).getFileName().toString();
            commands.append(file.endsWith(COMPRESSED) ? "xz -dc" : "cat").append(" '").append(modules.resolve(module))
                .append("' >'").append(target.resolve(number++ + "-" + file.replace(COMPRESSED, ""))).append("'\n");
        }
        final Path disk = directory.resolve("memory-disk.gz");
        commands.append("cd '").append(root).append("'\nfind . | busybox cpio -o -H newc 2>/dev/null | gzip -1 >'")
            .append(disk).append("'\n");
        ChildProcess.run(PATIENCE, "sh", "-c", commands.toString());
        return disk;
    }

    /** The modules, each behind those that it needs: modules.dep names these behind it, the first needed last. */
    private Set<String> inOrder() throws IOException
    {
        final Set<String> ordered = new LinkedHashSet<>();
        final List<String> dependencies = Files.readAllLines(modules.resolve("modules.dep"));
        for (final String module : NEEDED)
        {
            final String line = dependencies.stream()
                .filter(text -> text.startsWith(module + ":") || text.startsWith(module + COMPRESSED + ":"))
                .findFirst().orElseThrow(() -> new AssertionError("modules.dep has no " + module));
            final List<String> words = new ArrayList<>(List.of(line.replace(":", "").split(" ")));
            Collections.reverse(words);
            ordered.addAll(words);
        }
        return ordered;
    }
}
