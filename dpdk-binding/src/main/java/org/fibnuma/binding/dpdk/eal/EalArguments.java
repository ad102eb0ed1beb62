package org.fibnuma.binding.dpdk.eal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The arguments of EAL. No files stay on disk ({@code --in-memory}, without huge pages {@code --no-shconf}), and no
 * thread is pinned: the only lcore is mapped to all allowed processors. EAL needs little memory, which contains no
 * frames.
 */
final class EalArguments
{
    /** System property: if true, DPDK creates the socket of dpdk-telemetry.py, in a directory of this process. */
    static final String TELEMETRY_PROPERTY = "fibnuma.dpdk.telemetry";

    /** Huge pages of 2 MiB. The ring, caches and headers of a pool and the state of a few devices take about 8 MiB. */
    private static final int HUGE_PAGES_NEEDED = 16;
    private static final Path FREE_HUGE_PAGES = Path.of("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages");
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String ALLOWED_CPUS = "Cpus_allowed_list:";
    private static final String ORDINARY_MEMORY_MIB = "256";

    private final List<String> list = new ArrayList<>();
    private final boolean withPci;
    private final boolean hugePages;

    private EalArguments(final boolean withPci, final boolean hugePages, final String processors)
    {
        this.withPci = withPci;
        this.hugePages = hugePages;
        list.addAll(List.of("fibnuma", "--lcores", "0@(" + processors + ")"));
        if (telemetry())
        {
            list.addAll(List.of("--file-prefix", RuntimeDirectories.prefixOf(ProcessHandle.current().pid())));
        }
        else
        {
            list.addAll(List.of("--file-prefix", "fibnuma", "--no-telemetry"));
        }
        if (withPci)
        {
            // Only devices of ports are probed: the address of the allowed device does not exist.
            list.addAll(List.of("-a", "ffff:ff:1f.7"));
        }
        else
        {
            list.addAll(List.of("--no-pci", "--iova-mode=va"));
        }
        if (hugePages)
        {
            list.add("--in-memory");
        }
        else
        {
            list.addAll(List.of("--no-huge", "--no-shconf", "-m", ORDINARY_MEMORY_MIB));
        }
    }

    static EalArguments forThisMachine(final boolean withPci)
    {
        return new EalArguments(withPci, freeHugePages() >= HUGE_PAGES_NEEDED, allowedProcessors());
    }

    List<String> list()
    {
        return list;
    }

    boolean withPci()
    {
        return withPci;
    }

    /** Returns whether DPDK has files on disk while the process runs. */
    boolean telemetry()
    {
        return Boolean.getBoolean(TELEMETRY_PROPERTY);
    }

    boolean hugePages()
    {
        return hugePages;
    }

    /** Returns a line to log about the start, or an empty text. */
    String advice()
    {
        return hugePages ? "" : "fewer than " + HUGE_PAGES_NEEDED + " huge pages are free, so DPDK runs on ordinary " +
            "pages (--no-huge): every frame may cost a TLB miss more, and network cards without an IOMMU cannot be " +
            "used; sysctl -w vm.nr_hugepages=512 before the start";
    }

    private static long freeHugePages()
    {
        try
        {
            return Long.parseLong(Files.readString(FREE_HUGE_PAGES).trim());
        }
        catch (final IOException | NumberFormatException ex)
        {
            return 0;
        }
    }

    private static String allowedProcessors()
    {
        try
        {
            return Files.readAllLines(STATUS).stream()
                .filter(line -> line.startsWith(ALLOWED_CPUS))
                .map(line -> line.substring(ALLOWED_CPUS.length()).trim())
                .findFirst().orElse("0");
        }
        catch (final IOException ex)
        {
            return "0";
        }
    }
}
