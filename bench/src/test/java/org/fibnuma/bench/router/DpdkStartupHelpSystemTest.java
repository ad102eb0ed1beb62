package org.fibnuma.bench.router;

import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.core.Require;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.JavaProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What keeps a router from its DPDK ports, really provoked: one line each that says what to type. */
@NamespaceTest({"dpdk-testpmd", "unshare"})
class DpdkStartupHelpSystemTest
{
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final String PCI_DEVICES = "/sys/bus/pci/devices";
    private static final String FREE_HUGE_PAGES = "/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages";

    @TempDir
    private Path directory;

    @Test
    void shouldRefuseAnotherRelease() throws IOException
    {
        Require.program("gcc", "gcc");
        final Path source = Files.writeString(
            directory.resolve("eal.c"), "const char *rte_version(void) { return \"DPDK 21.08.0\"; }\n");
        ChildProcess.run(PATIENCE, "gcc", "-shared", "-fPIC", "-o",
            directory.resolve("librte_eal.so.23").toString(), source.toString());
        assertRefused("this machine has DPDK 21.08.0, but only DPDK 22.11, 23.11 and 24.11 are supported: " +
            "install one of these (Debian 12: apt-get install dpdk)",
            "net_null0", "env", "LD_LIBRARY_PATH=" + directory);
    }

    @Test
    void shouldSayThatPermissionsAreMissing() throws IOException
    {
        assertRefused("this process lacks capabilities: run it with sudo",
            "net_af_packet0,iface=lo", "setpriv", "--bounding-set=-all");
    }

    @Test
    void shouldSayThatThereIsNoSuchCard() throws IOException
    {
        assertRefused("there is no PCI device 0000:0f:1f.0: dpdk-devbind.py --status lists them", "0000:0f:1f.0");
    }

    /** A machine whose only card has the kernel's driver. */
    @Test
    void shouldSayThatACardHasTheKernelsDriver() throws IOException
    {
        Require.that(Files.isDirectory(Path.of(PCI_DEVICES)), "needs a PCI bus");
        final Path card = Files.createDirectories(directory.resolve("devices").resolve("0000:05:00.0"));
        Files.createSymbolicLink(card.resolve("driver"), Path.of("../../../../bus/pci/drivers/ixgbe"));
        assertRefused("0000:05:00.0 belongs to the kernel's driver ixgbe: modprobe vfio-pci && dpdk-devbind.py " +
            "--bind=vfio-pci 0000:05:00.0 (without an IOMMU: uio_pci_generic)", "0000:05:00.0",
            "unshare", "--mount", "sh", "-c",
            "mount --bind " + card.getParent() + " " + PCI_DEVICES + " && exec \"$0\" \"$@\"");
    }

    @Test
    void shouldRunOnOrdinaryPagesAndSayWhatThatCosts() throws IOException
    {
        Require.that(Files.exists(Path.of(FREE_HUGE_PAGES)), "needs a kernel with huge pages");
        final Path none = Files.writeString(directory.resolve("none"), "0\n");
        try (ChildProcess router = start("net_null0", "unshare", "--mount", "sh", "-c",
            "mount --bind " + none + " " + FREE_HUGE_PAGES + " && exec \"$0\" \"$@\""))
        {
            router.awaitLine("ready"::equals, PATIENCE);
            assertEquals(1, router.errors().stream().filter(line -> line.contains("fewer than 16 huge pages are " +
                "free, so DPDK runs on ordinary pages (--no-huge): every frame may cost a TLB miss more") &&
                line.endsWith("sysctl -w vm.nr_hugepages=512 before the start")).count(), router.errors()::toString);
        }
    }

    private void assertRefused(final String expected, final String device, final String... prefix) throws IOException
    {
        try (ChildProcess router = start(device, prefix))
        {
            assertEquals(1, router.awaitExit(PATIENCE), router.errors()::toString);
            final List<String> lines = router.errors();
            assertTrue(lines.get(lines.size() - 1).contains("port in (dpdk:" + device + "): "), lines::toString);
            assertTrue(lines.get(lines.size() - 1).contains(expected), lines::toString);
        }
    }

    private ChildProcess start(final String device, final String... prefix) throws IOException
    {
        final Path config = Files.writeString(directory.resolve("router.toml"), String.join("\n",
            "[router]", "name = \"help-" + ProcessHandle.current().pid() + "\"", "control = \"static\"", "cores = []",
            "[[port]]", "name = \"in\"", "device = \"dpdk:" + device + "\"", "exception = \"none\"",
            "address = [\"10.0.0.1/24\"]", "mac = \"02:00:00:00:01:00\"", ""));
        final List<String> command = new ArrayList<>(List.of(prefix));
        command.addAll(Arrays.asList(
            JavaProgram.command("org.fibnuma.fibnic.command.FibnumaCommand", "router", "-c", config.toString())));
        return ChildProcess.start(command.toArray(new String[0]));
    }
}
