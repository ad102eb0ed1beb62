package org.fibnuma.binding.dpdk.eal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;

/** Explains in one line why a device cannot be opened, and what to do. */
final class DeviceProblem
{
    private static final Path PCI_DEVICES = Path.of("/sys/bus/pci/devices");
    private static final Set<String> USER_SPACE_DRIVERS = Set.of("vfio-pci", "uio_pci_generic", "igb_uio");
    private static final String PCI_ADDRESS = "[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]";

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String EFFECTIVE = "CapEff:";
    private static final long NEEDED = 1L << 12 | 1L << 13 | 1L << 21;

    private DeviceProblem()
    {
    }

    static String explain(final String name, final String log, final String error)
    {
        final String reason = log.isEmpty() ? error : log;
        if (name.matches(PCI_ADDRESS))
        {
            return ofCard(name, reason);
        }
        if (!hasAllCapabilities())
        {
            return "DPDK cannot create it: " + reason + "; this process lacks capabilities: run it with sudo";
        }
        return "DPDK has no such device, or cannot create it" + (reason.isEmpty() ? "" : ": " + reason) +
            "; write a driver's name, a number and its arguments, such as net_af_packet0,iface=eth1";
    }

    /** Adds the remedy, if it is known, to DPDK's log of a failed set-up. */
    static String withRemedy(final String reason)
    {
        if (reason.contains("fit in mbuf") || reason.contains("buffer size"))
        {
            return reason + ": set frame-size = 4096";
        }
        if (reason.contains("Not enough mbufs"))
        {
            return reason + ": set rx-ring-size to half of the frames in the file, or more";
        }
        return reason;
    }

    private static String ofCard(final String address, final String reason)
    {
        final Path card = PCI_DEVICES.resolve(address);
        if (!Files.exists(card))
        {
            return "there is no PCI device " + address + ": dpdk-devbind.py --status lists them";
        }
        final String driver = driver(card);
        if (!USER_SPACE_DRIVERS.contains(driver))
        {
            return address + " belongs to " + (driver.isEmpty() ? "no driver" : "the kernel's driver " + driver) +
                ": modprobe vfio-pci && dpdk-devbind.py --bind=vfio-pci " + address +
                " (without an IOMMU: uio_pci_generic)";
        }
        return "DPDK cannot use " + address + " through " + driver + ": " + reason;
    }

    /** Returns whether this process has CAP_NET_ADMIN, CAP_NET_RAW and CAP_SYS_ADMIN, which drivers need. */
    private static boolean hasAllCapabilities()
    {
        try (Stream<String> lines = Files.lines(STATUS))
        {
            return lines.filter(line -> line.startsWith(EFFECTIVE)).allMatch(line ->
                (Long.parseUnsignedLong(line.substring(EFFECTIVE.length()).trim(), 16) & NEEDED) == NEEDED);
        }
        catch (final IOException ignore)
        {
            return true;
        }
    }

    private static String driver(final Path card)
    {
        try
        {
            return Files.readSymbolicLink(card.resolve("driver")).getFileName().toString();
        }
        catch (final IOException ex)
        {
            return "";
        }
    }
}
