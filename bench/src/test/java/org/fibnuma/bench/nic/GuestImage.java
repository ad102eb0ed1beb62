package org.fibnuma.bench.nic;

import org.fibnuma.core.Require;
import org.fibnuma.core.netns.ChildProcess;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A kernel of this machine's packages and a file system in memory that starts the router in a virtual machine. */
final class GuestImage
{
    private static final Path BUSYBOX = Path.of("/bin/busybox");
    private static final Path MODULES = Path.of("/lib/modules");
    private static final String CARD_MODULE = "kernel/drivers/uio/uio_pci_generic.ko";
    /** The host's files, the cards, the exception path. */
    private static final List<String> NEEDED = List.of(
        "kernel/drivers/virtio/virtio_pci.ko", "kernel/net/9p/9pnet_virtio.ko", "kernel/fs/9p/9p.ko",
        CARD_MODULE, "kernel/drivers/net/tun.ko");
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Path directory;
    private final Path kernel;
    private final Path modules;

    private GuestImage(final Path directory, final Path kernel, final Path modules)
    {
        this.directory = directory;
        this.kernel = kernel;
        this.modules = modules;
    }

    /**
     * Makes the files, or ends the test with the reason why it cannot.
     *
     * @param directory  to make them in.
     * @param cards      PCI addresses of the cards for DPDK.
     * @param config     of the router.
     * @param command    that runs the router with {@code /run/router.toml}.
     */
    static GuestImage make(
        final Path directory, final List<String> cards, final String config, final String... command)
        throws IOException
    {
        final String reason = "needs a kernel for a guest: apt-get install linux-image-amd64";
        final Path modules = modulesWithCardDriver();
        Require.that(modules != null, reason);
        final Path kernel = Path.of("/boot/vmlinuz-" + modules.getFileName());
        Require.that(Files.isReadable(kernel), reason);
        Require.that(Files.isExecutable(BUSYBOX), "needs /bin/busybox: apt-get install busybox-static");
        final GuestImage image = new GuestImage(directory, kernel, modules);
        image.fill(cards, config, command);
        return image;
    }

    private static Path modulesWithCardDriver() throws IOException
    {
        if (!Files.isDirectory(MODULES))
        {
            return null;
        }
        try (Stream<Path> versions = Files.list(MODULES))
        {
            return versions.filter(version -> Files.exists(version.resolve(CARD_MODULE)))
                .filter(version -> NEEDED.stream().allMatch(module -> Files.exists(version.resolve(module))))
                .max(Comparator.naturalOrder()).orElse(null);
        }
    }

    private void fill(final List<String> cards, final String config, final String... command) throws IOException
    {
        final Path root = Files.createDirectories(directory.resolve("root"));
        Files.createDirectories(root.resolve("bin"));
        Files.copy(BUSYBOX, root.resolve("bin/busybox"));
        try (InputStream init = GuestImage.class.getResourceAsStream("/qemu/init"))
        {
            Files.copy(init, root.resolve("init"));
        }
        root.resolve("init").toFile().setExecutable(true);
        final Path target = Files.createDirectories(root.resolve("modules"));
        int number = 10;
        for (final String module : inOrder())
        {
            Files.copy(modules.resolve(module), target.resolve(number++ + "-" + Path.of(module).getFileName()));
        }
        Files.write(root.resolve("cards"), cards);
        Files.writeString(root.resolve("router.toml"), config);
        Files.writeString(root.resolve("router.sh"),
            "mkdir /run/tmp\nexec '" + String.join("' '", command) + "'\n");
        ChildProcess.run(PATIENCE, "sh", "-c",
            "cd '" + root + "' && find . | busybox cpio -o -H newc 2>/dev/null | gzip -1 >'" + memoryDisk() + "'");
    }

    /** The modules, each behind those that it needs: modules.dep names these behind it, the first needed last. */
    private Set<String> inOrder() throws IOException
    {
        final Set<String> ordered = new LinkedHashSet<>();
        final List<String> dependencies = Files.readAllLines(modules.resolve("modules.dep"));
        for (final String module : NEEDED)
        {
            final String line = dependencies.stream().filter(text -> text.startsWith(module + ":"))
                .findFirst().orElseThrow(() -> new AssertionError("modules.dep has no " + module));
            final List<String> words =
                new ArrayList<>(List.of(line.substring(module.length() + 1).trim().split(" ")));
            Collections.reverse(words);
            words.removeIf(String::isEmpty);
            ordered.addAll(words);
            ordered.add(module);
        }
        return ordered;
    }

    Path kernel()
    {
        return kernel;
    }

    Path memoryDisk()
    {
        return directory.resolve("memory-disk.gz");
    }
}
