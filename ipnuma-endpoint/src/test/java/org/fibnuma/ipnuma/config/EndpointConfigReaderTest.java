package org.fibnuma.ipnuma.config;

import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.core.service.config.ConfigException;
import org.fibnuma.core.service.log.LogLevel;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.ipnuma.naming.CertificateFiles;
import org.fibnuma.ipnuma.naming.etcd.EtcdUser;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RegionAccess;
import org.fibnuma.ipnuma.wire.WireFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class EndpointConfigReaderTest
{
    private static final String SMALLEST = """
        [endpoint]
        device = "shm:link0"
        address = "10.9.0.1/24"
        [[peer]]
        id = 2
        address = "10.9.0.2"
        """;

    @TempDir
    private Path directory;

    @Test
    void shouldReadEveryKey() throws Exception
    {
        final EndpointConfig config = read("""
            [endpoint]
            name = "a"
            log-level = "error"
            device = "xdp:va"
            address = "10.9.0.1/24"
            gateway = "10.9.0.254"
            mac = "02:00:00:00:00:07"
            window-mib = 128
            names = "127.0.0.1:3423"
            names-certificate = "names.pem"
            names-key = "names.key"
            core = 0
            idle = "busy"
            rx-ring-size = 256
            tx-ring-size = 128
            busy-poll-us = 20
            busy-poll-budget = 8
            zero-copy = false

            [[peer]]
            id = 2
            address = "10.8.0.2"
            format = "ipnuma-10g"
            mac = "02:00:00:00:00:08"

            [[region]]
            name = "box"
            id = 9
            size-kib = 8
            allow = ["10.9.0.0/24", "10.8.0.2"]
            access = "write+atomic"
            key = "0x0123456789abcdef"
            zero = true
            """);
        assertEquals("a", config.name());
        assertEquals(LogLevel.ERROR, config.logLevel());
        assertEquals("xdp:va", config.device());
        assertEquals(new NetworkConfig(ip("10.9.0.1"), 24, ip("10.9.0.254"), 0x0200_0000_0007L), config.network());
        assertEquals(ip("10.9.0.254"), config.network().nextHop(ip("10.8.0.2")));
        assertEquals(ip("10.9.0.77"), config.network().nextHop(ip("10.9.0.77")));
        assertEquals(128 << 20, config.windowBytes());
        assertEquals(3423, config.services().names().getPort());
        assertEquals(
            new CertificateFiles(Path.of("names.pem"), Path.of("names.key")), config.services().certificate());
        assertEquals(new ThreadConfig(0, IdleStrategies.BUSY), config.thread());
        assertEquals(256, config.rings().rxRingSize());
        assertEquals(128, config.rings().txRingSize());
        assertEquals(20, config.rings().busyPollMicros());
        assertEquals(
            List.of(new PeerConfig(
                2, ip("10.8.0.2"), WireFormat.IPNUMA_10G, 0x0200_0000_0008L, null, null)), config.peers());
        assertEquals(
            List.of(new RegionConfig(9, "box", 8192, List.of(
                Ipv4Prefix.parse("10.9.0.0/24"), Ipv4Prefix.parse("10.8.0.2")),
                RegionAccess.WRITE | RegionAccess.ATOMIC, 0x0123_4567_89AB_CDEFL, true)),
            config.regions());
    }

    @Test
    void shouldWantBothFilesForTls()
    {
        final ConfigException ex = assertThrows(ConfigException.class,
            () -> read(SMALLEST.replace("[endpoint]\n", "[endpoint]\nnames-certificate = \"names.pem\"\n")));
        assertTrue(ex.getMessage().contains("endpoint.names-key: is missing; TLS needs both"), ex.getMessage());
    }

    @Test
    void shouldReadTheUserOfTheDirectory() throws Exception
    {
        final Path password = Files.writeString(directory.resolve("password"), "secret\n");
        final String table = SMALLEST + "[directory]\netcd = [\"http://127.0.0.1:2379\"]\n";
        final EndpointConfig config = read(table + "user = \"fib\"\npassword-file = \"" + password + "\"\n");
        assertEquals(new EtcdUser("fib", password), config.directory().settings().user());
        assertNull(read(table).directory().settings().user());
        assertProblem(table + "user = \"fib\"\n", 7, "directory.password-file: is missing; a login needs both");
        assertProblem(table + "password-file = \"" + password + "\"\n", 7, "directory.user: is missing");
        assertProblem(table + "user = \"fib\"\npassword-file = \"none\"\n", 10,
            "directory.password-file: cannot read none: no such file or directory");
        Files.writeString(password, "");
        assertProblem(table + "user = \"fib\"\npassword-file = \"" + password + "\"\n", 10,
            password + " is empty; write the password into it");
    }

    @Test
    void shouldHaveDefaults() throws Exception
    {
        final EndpointConfig config = read(SMALLEST + """
            [[region]]
            name = "one"
            [[region]]
            name = "two"
            key = "none"
            """);
        assertEquals(EndpointConfig.DEFAULT_NAME, config.name());
        assertEquals(LogLevel.INFO, config.logLevel());
        assertEquals(64 << 20, config.windowBytes());
        assertEquals(WireFormat.FIBNUMA, config.peer(2).format());
        final RegionConfig one = config.regions().get(0);
        assertEquals(1, one.id());
        assertEquals(64 << 10, one.size());
        assertEquals(RegionAccess.WRITE, one.access());
        assertEquals(List.of(Ipv4Prefix.parse("10.9.0.2")), one.allow());
        assertNotEquals(Region.NO_KEY, one.key());
        assertEquals(2, config.regions().get(1).id());
        assertEquals(Region.NO_KEY, config.regions().get(1).key());
        assertEquals(0x0200_0A09_0001L, config.network().macAddress(0));
        assertEquals(5, config.network().macAddress(5));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "device = \"eth1\"|2|endpoint.device: \"eth1\" has no kind before a colon",
        "address = \"10.9.0.1\"|3|endpoint.address: \"10.9.0.1\" is not an address with a prefix length",
        "address = \"10.9.0.1/33\"|3|endpoint.address: \"10.9.0.1/33\" is not an address with a prefix length",
        "address = \"224.0.0.1/24\"|3|endpoint.address: 224.0.0.1 is not a unicast address",
        "address = \"10.9.0.2/24\"|6|peer.address: 10.9.0.2 is the endpoint's own",
        "address = \"10.7.0.1/24\"|6|peer.address: 10.9.0.2 is on another segment than 10.7.0.1/24; give gateway",
        "id = 0|5|peer.id: 0 is out of range; give 1 to 65535",
        "id = \"2\"|5|peer.id: is a string; give a number",
    })
    void shouldNameFileLineAndKey(final String line, final int number, final String problem) throws Exception
    {
        final String key = line.substring(0, line.indexOf(' '));
        final String[] lines = SMALLEST.split("\n");
        assertTrue(lines[number == 6 ? 2 : number - 1].startsWith(key), "the test replaces the wrong line");
        lines[number == 6 ? 2 : number - 1] = line;
        assertProblem(String.join("\n", lines), number, problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "speed = 3|unknown key; known are",
        "name = \"a b\"|region.name: \"a b\" is not a name",
        "size-kib = 6|region.size-kib: 6 is not a whole number of pages; give a multiple of 4",
        "access = \"write+eat\"|region.access: not an access: \"eat\"",
        "allow = [\"10.9.0.0/40\"]|region.allow: ",
        "key = \"secret\"|region.key: \"secret\" is not a key; give \"random\", \"none\"",
        "key = \"0x0\"|region.key: \"0x0\" is not a key",
        "id = 65536|region.id: 65536 is out of range",
        "zero = 1|region.zero: is a number; give true or false",
    })
    void shouldRefuseRegionsThatCannotBe(final String line, final String problem) throws Exception
    {
        final String name = line.startsWith("name") ? "" : "name = \"box\"\n";
        assertProblem(SMALLEST + "[[region]]\n" + name + line + "\n", name.isEmpty() ? 8 : 9, problem);
    }

    @Test
    void shouldTellEverythingThatIsWrongAtOnce() throws Exception
    {
        final ConfigException ex = assertThrows(ConfigException.class, () -> read("""
            [endpoint]
            gateway = "10.8.0.1"
            [[peer]]
            format = "tcp"
            [other]
            """));
        final String all = String.join("\n", ex.problems());
        for (final String wanted : List.of(
            "endpoint.device: is missing", "endpoint.address: is missing", "peer.id: is missing",
            "peer.address: is missing", "peer.format: not a wire format: \"tcp\"", "other: unknown key"))
        {
            assertTrue(all.contains(wanted), all);
        }
        assertEquals(6, ex.problems().size(), all);
    }

    @Test
    void shouldAskOnceForTheNameOfARegion() throws Exception
    {
        final ConfigException ex = assertThrows(ConfigException.class, () -> read(SMALLEST + "[[region]]\n"));
        assertEquals(1, ex.problems().size(), ex.getMessage());
        assertTrue(ex.getMessage().contains("region.name: is missing; give the region a name"), ex.getMessage());
    }

    @Test
    void shouldRefuseWhatIsThereTwice() throws Exception
    {
        final ConfigException ex = assertThrows(ConfigException.class, () -> read(SMALLEST + """
            [[peer]]
            id = 2
            address = "10.9.0.2"
            [[region]]
            name = "a"
            zero = true
            [[region]]
            name = "a"
            id = 1
            zero = true
            """));
        assertEquals(5, ex.problems().size(), ex.getMessage());
    }

    private void assertProblem(final String text, final int line, final String problem) throws IOException
    {
        final ConfigException ex = assertThrows(ConfigException.class, () -> read(text));
        assertEquals(1, ex.problems().size(), ex.getMessage());
        final String only = ex.problems().get(0);
        assertTrue(only.startsWith(directory.resolve("e.toml") + ":" + line + ": "), only);
        assertTrue(only.contains(problem), only);
    }

    private EndpointConfig read(final String text) throws IOException, ConfigException
    {
        final Path file = directory.resolve("e.toml");
        Files.writeString(file, text);
        return EndpointConfigReader.read(file);
    }

    private static int ip(final String text)
    {
        return Ipv4Address.parse(text);
    }
}
