package org.fibnuma.fibnic.control;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.config.ConfigException;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.config.ConfigReader;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RouterTest
{
    private static final String LEFT_MAC = "020000000001";
    private static final String RIGHT_MAC = "020000000002";
    private static final String HOST_MAC = "0200000000aa";

    /** 10.0.0.2 to 192.0.2.9, UDP without payload; total length 28, identification 0x1234, no flags. */
    private static final String IP_START = "4500001c12340000";
    private static final String IP_END = "0a000002c0000209";
    private static final String UDP = "0400040000080000";

    @TempDir
    private Path directory;

    private final String name = "test-" + ProcessHandle.current().pid() + "-" + System.nanoTime();

    @Test
    void shouldForwardBetweenMemoryPortsAsConfigured() throws Exception
    {
        try (Router router = Router.open(ConfigReader.read(config("")), 1024))
        {
            router.start();
            try (MemoryHost left = new MemoryHost(name + "-a", router.hostPool());
                MemoryHost right = new MemoryHost(name + "-b", router.hostPool()))
            {
                left.send(LEFT_MAC + HOST_MAC + "0800" + IP_START + "4011" + "9c92" + IP_END + UDP);

                assertEquals(
                    List.of("020000000102" + RIGHT_MAC + "0800" + IP_START + "3f11" + "9d92" + IP_END + UDP),
                    right.receive(1));
            }
        }
    }

    @Test
    void shouldRefuseANameThatIsTaken() throws Exception
    {
        try (Router first = Router.open(ConfigReader.read(config(""))))
        {
            first.start();
            final Path other = config("other-");
            final UserException refusal =
                assertThrows(UserException.class, () -> Router.open(ConfigReader.read(other)));

            assertTrue(refusal.getMessage().contains("belongs to a running process"), refusal.getMessage());
        }
    }

    @Test
    void shouldGiveEverythingBackWhereAPortCannotBeOpened() throws Exception
    {
        final Path file = config("");
        Files.writeString(file, Files.readString(file).replace("mem:" + name + "-b", "pcap:/nosuch.pcap"));

        final UserException refusal =
            assertThrows(UserException.class, () -> Router.open(ConfigReader.read(file)));
        assertTrue(refusal.getMessage().startsWith(
            file + ":12: port.device: port right: cannot read /nosuch.pcap"), refusal.getMessage());

        try (Router again = Router.open(ConfigReader.read(config(""))))
        {
            again.start();
        }
    }

    @Test
    void shouldRefuseACoreThatThereIsNot() throws Exception
    {
        final Path file = config("");
        Files.writeString(file, Files.readString(file).replace("cores = []", "cores = [999]"));

        final UserException refusal =
            assertThrows(UserException.class, () -> Router.open(ConfigReader.read(file)));

        assertTrue(refusal.getMessage().startsWith(
            file + ":4: router.cores: this process may not run on core 999, it has "), refusal.getMessage());
        assertTrue(refusal.getMessage().endsWith("or [] to pin none"), refusal.getMessage());
    }

    @Test
    void shouldRefuseKernelControlOfAPortWithoutAnInterface() throws Exception
    {
        final Path file = directory.resolve("netlink.toml");
        Files.writeString(file, "[router]\nname = \"" + name + "\"\n[[port]]\nname = \"left\"\ndevice = \"mem:" + name +
            "-n\"\n");

        final UserException refusal =
            assertThrows(UserException.class, () -> Router.open(ConfigReader.read(file)));

        assertEquals("port left: the kernel has no interface and no addresses for mem:" + name + "-n; " +
            "use control = \"static\", or exception = \"tap\" of the port, in " + file, refusal.getMessage());
    }

    @Test
    void shouldRefuseAnMtuThatDoesNotFitTheFrames() throws IOException, ConfigException
    {
        final Path file = config("");
        Files.writeString(file, Files.readString(file).replace("mtu = 1400", "mtu = 9000"));

        final UserException refusal =
            assertThrows(UserException.class, () -> Router.open(ConfigReader.read(file)));

        assertTrue(refusal.getMessage().startsWith("port right: MTU 9000 does not fit frame-size = 2048"));
    }

    @Test
    @Timeout(120)
    void shouldAnswerForBothFamilies() throws Exception
    {
        Files.write(directory.resolve("routes.txt"), List.of(
            "198.51.100.0/24 10.0.0.9", "198.51.100.128/25 2001:db8:1::2",
            "2001:db8:e::/48 2001:db8:1::9", "::/0 2001:db8:1::2"));
        final Path file = config("");
        Files.writeString(file, Files.readString(file)
            .replace("cores = []", "cores = []\nroutes-file = \"routes.txt\"")
            .replace("\"10.0.0.1/24\"", "\"10.0.0.1/24\", \"2001:db8::1/64\"")
            .replace("\"10.0.1.1/24\"", "\"10.0.1.1/24\", \"2001:db8:1::1/64\"") +
            "[[route]]\nprefix = \"2001:db8:f::/48\"\nvia = \"2001:db8:1::2\"\n" +
            "[[route]]\nprefix = \"203.0.113.0/24\"\nvia = \"2001:db8:1::2\"\n" +
            "[[neighbor]]\naddress = \"2001:db8:1::2\"\nmac = \"02:00:00:00:06:02\"\n");
        try (Router router = Router.open(ConfigReader.read(file)))
        {
            router.start();
            try (ControlClient client = ControlClient.connect(name))
            {
                final String forward = "kind=forward port=right mtu=1400 nextHop=2001:db8:1::2 " +
                    "destinationMac=02:00:00:00:06:02 sourceMac=02:00:00:00:00:02";
                assertEquals("prefix=2001:db8:f::/48 " + forward, lookup(client, "2001:db8:f::1"));
                assertEquals("prefix=203.0.113.0/24 " + forward, lookup(client, "203.0.113.1"));
                assertEquals("prefix=198.51.100.128/25 " + forward, lookup(client, "198.51.100.129"));
                assertEquals("prefix=::/0 " + forward, lookup(client, "2001:4860::8"));
                assertEquals("prefix=2001:db8:1::2/128 " + forward, lookup(client, "2001:db8:1::2"));
                assertEquals("prefix=2001:db8:e::/48 kind=unresolved port=right mtu=1400 nextHop=2001:db8:1::9",
                    lookup(client, "2001:db8:e::1"));
                assertEquals("prefix=2001:db8::1/128 kind=local", lookup(client, "2001:db8::1"));

                final JsonNode routes = client.ask(ControlProtocol.request("routes"));
                assertEquals(10, routes.get("prefixes").asInt(), routes::toString);
                assertEquals(7, routes.get("ipv6Prefixes").asInt(), routes::toString);
                assertEquals(8, routes.get("ipv6FibRoutes").asInt(), "with the neighbour's host route");
                assertTrue(routes.get("ipv6RibBytes").asLong() > 0 && routes.get("ipv6TableBytes").asLong() > 0);
                assertEquals(texts(routes.get("routes"), "prefix"), pagesOf(client));
                assertEquals(
                    List.of("10.0.1.2", "2001:db8:1::2"),
                    texts(client.ask(ControlProtocol.request("neighbors")).get("neighbors"), "address"));
                final JsonNode verified = client.ask(ControlProtocol.request("verify"));
                assertTrue(verified.get("equal").asBoolean(), verified::toString);
                assertEquals(17, verified.get("prefixes").asInt());
            }
        }
    }

    @Test
    void shouldLookUpNoIpv6AddressWhereTheKernelForwardsIpv6() throws Exception
    {
        final Path file = config("");
        Files.writeString(file, Files.readString(file).replace("cores = []", "cores = []\nipv6 = false"));
        try (Router router = Router.open(ConfigReader.read(file)))
        {
            router.start();
            try (ControlClient client = ControlClient.connect(name))
            {
                final IOException refusal =
                    assertThrows(IOException.class, () -> lookup(client, "2001:db8::1"));
                assertEquals("the kernel forwards IPv6, not the router; set ipv6 = true in [router] to look up " +
                    "2001:db8::1", refusal.getMessage());
                assertFalse(client.ask(ControlProtocol.request("routes")).has("ipv6Prefixes"));
            }
        }
    }

    private static List<String> pagesOf(final ControlClient client) throws IOException
    {
        final List<String> prefixes = new ArrayList<>();
        JsonNode page = client.ask(ControlProtocol.request("routes").put("limit", 2));
        while (page.has("next"))
        {
            prefixes.addAll(texts(page.get("routes"), "prefix"));
            page = client.ask(
                ControlProtocol.request("routes").put("limit", 2).put("after", page.get("next").asText()));
        }
        prefixes.addAll(texts(page.get("routes"), "prefix"));
        return prefixes;
    }

    private static List<String> texts(final JsonNode rows, final String key)
    {
        final List<String> texts = new ArrayList<>();
        rows.forEach(row -> texts.add(row.get(key).asText()));
        return texts;
    }

    private static String lookup(final ControlClient client, final String address) throws IOException
    {
        final JsonNode answer = client.ask(ControlProtocol.request("lookup").put("address", address));
        final List<String> fields = new ArrayList<>();
        for (final String key : List.of(
            "prefix", "kind", "port", "mtu", "nextHop", "destinationMac", "sourceMac"))
        {
            if (answer.has(key))
            {
                fields.add(key + "=" + answer.get(key).asText());
            }
        }
        return String.join(" ", fields);
    }

    @Test
    @Timeout(120)
    void shouldAnswerAVerificationThatRunsWhenItIsClosed() throws Exception
    {
        final Path routes = directory.resolve("routes.txt");
        Files.write(routes, IntStream.range(0, 200_000)
            .mapToObj(i -> Ipv4Address.format((20 << 24) + (i << 8)) + "/24 10.0.1.2").toList());
        final Path file = config("");
        Files.writeString(file, Files.readString(file)
            .replace("cores = []", "cores = []\nroutes-file = \"" + routes + "\""));
        final CompletableFuture<String> answer = new CompletableFuture<>();
        try (Router router = Router.open(ConfigReader.read(file)))
        {
            router.start();
            new Thread(() -> answer.complete(verify())).start();
            while (!answer.isDone() &&
                Thread.getAllStackTraces().keySet().stream().noneMatch(thread -> "verify".equals(thread.getName())))
            {
                Thread.onSpinWait();
            }
        }
        final String text = answer.get();
        assertTrue(text.contains("\"equal\":true") || text.contains("the verification was cancelled"), text);
    }

    private String verify()
    {
        try (ControlClient client = ControlClient.connect(name))
        {
            return client.ask(ControlProtocol.request("verify")).toString();
        }
        catch (final IOException ex)
        {
            return ex.getMessage();
        }
    }

    private Path config(final String linkPrefix) throws IOException
    {
        final Path file = directory.resolve("router" + linkPrefix + ".toml");
        Files.writeString(file, String.join("\n",
            "[router]",
            "name = \"" + name + "\"",
            "control = \"static\"",
            "cores = []",
            "[[port]]",
            "name = \"left\"",
            "device = \"mem:" + linkPrefix + name + "-a\"",
            "address = [\"10.0.0.1/24\"]",
            "mac = \"02:00:00:00:00:01\"",
            "[[port]]",
            "name = \"right\"",
            "device = \"mem:" + linkPrefix + name + "-b\"",
            "address = [\"10.0.1.1/24\"]",
            "mac = \"02:00:00:00:00:02\"",
            "mtu = 1400",
            "[[route]]",
            "prefix = \"192.0.2.0/24\"",
            "via = \"10.0.1.2\"",
            "[[neighbor]]",
            "address = \"10.0.1.2\"",
            "mac = \"02:00:00:00:01:02\"",
            ""));
        return file;
    }
}
