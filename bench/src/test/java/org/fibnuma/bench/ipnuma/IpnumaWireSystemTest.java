package org.fibnuma.bench.ipnuma;

import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.core.counter.CountersFile;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.service.netns.JavaProgram;
import org.fibnuma.ipnuma.memory.RegionMapping;
import org.fibnuma.ipnuma.memory.RegionStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An endpoint over AF_XDP and scapy, which knows nothing of it, at the ends of a veth pair. */
@Timeout(600)
@NamespaceTest("scapy")
class IpnumaWireSystemTest
{
    private static final String IPNUMA = "org.fibnuma.ipnuma.command.IpnumaCommand";
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    /** ipnuma-10g: a write of one DW, header of four, to region 1, offset 0x10: bytes AA BB CC DD. */
    private static final String STORE = "BE9BE9550000" + "01000060" + "0F000000" + "01000000" + "10000000" + "DDCCBBAA";
    /** The same of ours: bytes 11 22 33 44 to region 3, offset 0x20. */
    private static final String OURS = "be9be9550000" + "01000060" + "0f000000" + "03000000" + "20000000" + "44332211";

    @TempDir
    private Path directory;

    @Test
    void shouldSpeakIpnuma10gWithAnotherImplementation() throws Exception
    {
        withEndpoint("wire-" + ProcessHandle.current().pid(), this::exchange);
    }

    /** A program that sends by a socket, as LibTLP does: the kernel leaves the checksum to a veth, at its defaults. */
    @Test
    void shouldTakeDatagramsOfASocket() throws Exception
    {
        withEndpoint("socket-" + ProcessHandle.current().pid(), (a, b, name) ->
        {
            b.address("vb", "10.9.0.2/24");
            b.run("/usr/bin/python3", "-c",
                "import socket\n" +
                "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n" +
                "s.bind(('10.9.0.2', 3422))\n" +
                "s.sendto(bytes.fromhex('" + STORE + "'), ('10.9.0.1', 3422))\n");
            awaitStore(name);
        });
    }

    private void withEndpoint(final String name, final Exchange exchange) throws Exception
    {
        try (Host a = Host.open("a"); Host b = Host.open("b"))
        {
            a.connect("va", b, "vb", 1500);
            a.address("va", "10.8.0.1/24");
            final Path config = Files.writeString(directory.resolve("a.toml"), """
                [endpoint]
                name = "%s"
                device = "xdp:va"
                address = "10.9.0.1/24"
                [[peer]]
                id = 2
                address = "10.9.0.2"
                format = "ipnuma-10g"
                mac = "%s"
                [[region]]
                name = "box"
                key = "none"
                """.formatted(name, b.macAddress("vb")));
            try (ChildProcess endpoint = a.start(JavaProgram.command(IPNUMA, "endpoint", "-c", config.toString())))
            {
                endpoint.awaitLine("ready"::equals, PATIENCE);
                exchange.run(a, b, name);
                endpoint.terminate();
                assertEquals(0, endpoint.awaitExit(PATIENCE), () -> endpoint.errors().toString());
            }
        }
        assertTrue(Files.notExists(CountersFile.directoryOf(name)), "something is left in shared memory");
    }

    private void exchange(final Host a, final Host b, final String name) throws Exception
    {
        final Path script = directory.resolve("ipnuma.py");
        try (InputStream resource = IpnumaWireSystemTest.class.getResourceAsStream("/scapy/ipnuma.py"))
        {
            Files.write(script, resource.readAllBytes());
        }
        final String mac = a.macAddress("va");
        try (ChildProcess scapy = b.start("/usr/bin/python3", script.toString(), "vb", mac, STORE))
        {
            assertEquals("arp " + mac, scapy.awaitLine(line -> line.startsWith("arp"), PATIENCE));
            scapy.awaitLine("listening"::equals, PATIENCE);
            awaitStore(name);
            try (ChildProcess write = ChildProcess.start(JavaProgram.command(IPNUMA, "write",
                "--name", name, "--peer", "2", "--region", "3", "--offset", "32", "--hex", "11223344")))
            {
                assertEquals(
                    "frame " + mac + " " + b.macAddress("vb") + " 10.9.0.2 3422 3422 True " + OURS,
                    scapy.awaitLine(line -> line.startsWith("frame"), PATIENCE));
                // Nobody answers the read behind the store.
                assertEquals(1, write.awaitExit(PATIENCE));
            }
        }
    }

    private static void awaitStore(final String name) throws Exception
    {
        try (RegionMapping box = RegionMapping.open(
            RegionStore.directoryOf(CountersFile.directoryOf(name)).resolve("box")))
        {
            for (int i = 0; i < 1000 && box.getIntAcquire(16) == 0; i++)
            {
                Thread.sleep(10);
            }
            assertEquals(0xDDCC_BBAA, box.getIntAcquire(16));
            assertEquals(0, box.getIntAcquire(12));
            assertEquals(0, box.getIntAcquire(20));
        }
    }

    @Test
    void shouldRefuseAnAddressOfTheKernel() throws Exception
    {
        try (Host a = Host.open("a"); Host b = Host.open("b"))
        {
            a.connect("va", b, "vb", 1500);
            a.address("va", "10.9.0.1/24");
            final Path config = Files.writeString(directory.resolve("a.toml"), """
                [endpoint]
                name = "kernel-%d"
                device = "xdp:va"
                address = "10.9.0.1/24"
                [[peer]]
                id = 2
                address = "10.9.0.2"
                """.formatted(ProcessHandle.current().pid()));
            try (ChildProcess endpoint = a.start(JavaProgram.command(IPNUMA, "endpoint", "-c", config.toString())))
            {
                assertEquals(1, endpoint.awaitExit(PATIENCE));
                assertEquals(1, endpoint.errors().size(), endpoint.errors()::toString);
                assertTrue(endpoint.errors().get(0).contains(
                    "endpoint.address: 10.9.0.1 belongs to the kernel, on va; give the endpoint an address of its own"),
                    endpoint.errors()::toString);
            }
        }
    }

    /** What happens while the endpoint of a host runs. */
    @FunctionalInterface
    private interface Exchange
    {
        void run(Host endpoint, Host peer, String name) throws Exception;
    }
}
