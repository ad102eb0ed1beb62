package org.fibnuma.fibnic.config;

import org.fibnuma.core.UserException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Which kinds of ports a command can add to a running router. */
class AddedPortTest
{
    private static final String NO_INTERFACE = "the kernel has no interface of it, from which an added port has its " +
        "addresses and routes and to which a removed one leaves them";

    private static RouterConfig config;

    @BeforeAll
    static void read(@TempDir final Path directory) throws Exception
    {
        config = ConfigReader.read(Files.writeString(
            directory.resolve("r.toml"), "[[port]]\nname = \"left\"\ndevice = \"xdp:r0\"\n"));
    }

    @Test
    void shouldTakeAnInterfaceOfTheName()
    {
        assertEquals("xdp:eth3", added("eth3", null).config(config).device());
        assertEquals("xdp:eth4", added("edge", "xdp:eth4").config(config).device());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "mem:a | " + NO_INTERFACE,
        "mem:a@far | " + NO_INTERFACE,
        "shm:a | " + NO_INTERFACE,
        "pcap:in.pcap,out.pcap | its files are read and written once, from the start of the router to its end",
        "tap:t0 | its interface in the kernel is made with the port and deleted with it, addresses and routes included",
        "dpdk:net_memif0,role=server | DPDK sets up its devices once, when the router starts",
        "dpdk:net_tap0 | DPDK sets up its devices once, when the router starts",
        "dpdk:0000:01:00.0 | DPDK sets up its devices once, when the router starts",
        "fault:loss=1/xdp:r1 | its faults follow from the seed and the frames since the start of the router"})
    void shouldSayWhyAKindCannotBeAdded(final String device, final String reason)
    {
        assertEquals("port edge (" + device + "): cannot be added while the router runs, because " + reason +
            "; add a [[port]] to its file and restart it",
            assertThrows(IllegalArgumentException.class, () -> added("edge", device).config(config)).getMessage());
    }

    @ParameterizedTest
    @CsvSource({"eth4", "afxdp:eth4"})
    void shouldNameTheKindsWhereThereIsNoSuchKind(final String device)
    {
        assertEquals("port edge: unknown device \"" + device + "\"; known kinds: dpdk: fault: mem: pcap: shm: tap: " +
            "tun: xdp:",
            assertThrows(UserException.class, () -> added("edge", device).config(config)).getMessage());
    }

    private static AddedPort added(final String name, final String device)
    {
        return new AddedPort(name, device, null, null, false, 0);
    }
}
