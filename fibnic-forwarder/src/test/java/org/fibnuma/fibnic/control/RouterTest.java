package org.fibnuma.fibnic.control;

import org.fibnuma.core.UserException;
import org.fibnuma.core.config.ConfigException;
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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
        Files.writeString(file, Files.readString(file).replace("mem:" + name + "-b", "nosuch:x"));

        final UserException refusal =
            assertThrows(UserException.class, () -> Router.open(ConfigReader.read(file)));
        assertTrue(refusal.getMessage().startsWith(
            file + ":12: port.device: port right: unknown device \"nosuch:x\""), refusal.getMessage());

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
    void shouldRefuseKernelControlOfAPortThatTheKernelDoesNotKnow() throws Exception
    {
        final Path file = directory.resolve("netlink.toml");
        Files.writeString(file, "[router]\nname = \"" + name + "\"\n[[port]]\nname = \"left\"\ndevice = \"mem:" + name +
            "-n\"\n");

        final UserException refusal =
            assertThrows(UserException.class, () -> Router.open(ConfigReader.read(file)));

        assertEquals("port left: the kernel does not know mem:" + name + "-n and has no addresses for it; " +
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
