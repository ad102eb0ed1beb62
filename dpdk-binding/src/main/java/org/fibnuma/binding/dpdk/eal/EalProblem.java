package org.fibnuma.binding.dpdk.eal;

import java.util.Locale;

/** What a refusal of EAL means for the user, and what he can do about it: one line each. */
final class EalProblem
{
    private EalProblem()
    {
    }

    /**
     * Explains a failed start.
     *
     * @param log       what DPDK logged last.
     * @param error     text of its error number.
     * @param arguments that it was started with.
     * @return one line.
     */
    static String explain(final String log, final String error, final EalArguments arguments)
    {
        final String told = (log.isEmpty() ? error : log).toLowerCase(Locale.ROOT);
        if (arguments.withPci() && told.contains("iova"))
        {
            return "DPDK finds no way to address memory for network cards (" + log + "): boot with intel_iommu=on or " +
                "amd_iommu=on and bind the card to vfio-pci, or run as root, which physical addresses need";
        }
        if (told.contains("permission") || told.contains("denied"))
        {
            return "DPDK may not use what it needs (" + log + "): run it with sudo";
        }
        if (told.contains("memory") || told.contains("hugepage"))
        {
            return "DPDK gets no memory (" + log + "): " + (arguments.hugePages() ?
                "sysctl -w vm.nr_hugepages=512, or 0 to run on ordinary pages" : "free 256 MiB on this machine");
        }
        return "DPDK cannot be started: " + (log.isEmpty() ? error : log) + "; it was given: " +
            String.join(" ", arguments.list());
    }
}
