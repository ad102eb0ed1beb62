package org.fibnuma.binding.afxdp;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Defects of drivers for which zero-copy mode is not tried, although the driver accepts it.
 * <p>
 * virtio_net (Linux 6.13 to 7.3) precedes each frame that it transmits in zero-copy mode by a header of zeros, a static
 * variable {@code xsk_hdr} that it maps for DMA. If the driver is a module, that variable is outside the memory that
 * the mapping can translate, and the device reads the header from an unrelated memory page. If that page does not
 * contain zeros, the frame has an arbitrary header or is lost. Seen with Linux 7.3.4 in a guest: the descriptor's
 * address was the variable's virtual address less {@code __START_KERNEL_map}, plus the physical base of the kernel. In
 * a built-in driver the mapping translates the variable correctly.
 */
final class ZeroCopyDefect
{
    private static final Path MODULES = Path.of("/sys/module");
    private static final String VIRTIO_NET = "virtio_net";

    private ZeroCopyDefect()
    {
    }

    /**
     * Returns why zero-copy mode of a driver, by the name that the interface reports, must not be used on this host.
     * Empty if no defect is known.
     */
    static String of(final String driver)
    {
        return of(driver, MODULES);
    }

    /** Does the same with the directory in which the kernel lists its modules and built-in drivers. */
    static String of(final String driver, final Path modules)
    {
        return driver.equals(VIRTIO_NET) && isLoadable(modules.resolve(driver)) ?
            "with virtio_net as a module, Linux reads the headers of sent frames from unrelated memory" : "";
    }

    /** Only loadable modules have a state. A built-in driver has no directory unless it has parameters. */
    private static boolean isLoadable(final Path module)
    {
        return Files.exists(module.resolve("initstate"));
    }
}
