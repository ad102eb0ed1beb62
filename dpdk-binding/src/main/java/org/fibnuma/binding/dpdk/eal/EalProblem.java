package org.fibnuma.binding.dpdk.eal;

import java.util.Locale;

/** Explains in one line why EAL did not start, and what to do. */
final class EalProblem
{
    private EalProblem()
    {
    }

    /**
     * Explains a failed start.
     *
     * @param log       last lines of DPDK's log.
     * @param error     text of its error number.
     * @param arguments of the start.
     */
    static String explain(final String log, final String error, final EalArguments arguments)
    {
        final String text = (log.isEmpty() ? error : log).toLowerCase(Locale.ROOT);
        if (arguments.withPci() && text.contains("iova"))
        {
            return "DPDK cannot address memory for network cards (" + log + "): boot with intel_iommu=on or " +
                "amd_iommu=on and bind the card to vfio-pci, or run as root, which physical addresses need";
        }
        if (text.contains("permission") || text.contains("denied"))
        {
            return "DPDK lacks permissions (" + log + "): run it with sudo";
        }
        if (text.contains("memory") || text.contains("hugepage"))
        {
            return "DPDK gets no memory (" + log + "): " + (arguments.hugePages() ?
                "sysctl -w vm.nr_hugepages=512, or 0 to run on ordinary pages" : "free 256 MiB on this machine");
        }
        return "DPDK cannot be started: " + (log.isEmpty() ? error : log) + "; arguments: " +
            String.join(" ", arguments.list());
    }
}
