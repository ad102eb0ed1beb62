package org.fibnuma.fibnic.control;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.service.log.LogLevel;
import org.fibnuma.core.service.notify.ServiceNotificationsFixture;
import org.fibnuma.fibnic.config.ConfigReader;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Reloads of a router between memory ports, whose verdicts are observed in the frames that leave. */
@Timeout(60)
class ReloadTest
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ReloadTest.class);
    /** From 10.0.0.2 to 192.0.2.9, UDP from port 1,024 to 1,024 and the same to port 1,025, without payload. */
    private static final String FRAME = "0200000000010200000000aa08004500001c1234000040119c920a000002c00002090400";
    private static final String PERMITTED = FRAME + "040000080000";
    private static final String OTHER = FRAME + "040100080000";

    private static final String LIST = "[[acl]]\nname = \"edge\"\n[[acl.rule]]\naction = \"permit\"\n";
    private static final String UDP_1024 = LIST + "protocol = \"udp\"\ndestination-port = \"1024\"\n";

    @TempDir
    private Path directory;

    private final String name = "test-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
    private final List<String> notified = new CopyOnWriteArrayList<>();
    private Path file;
    private Router router;
    private MemoryHost left;
    private MemoryHost right;
    private ControlClient client;

    @BeforeEach
    void start() throws Exception
    {
        file = directory.resolve("router.toml");
        write("", "", "");
        router = Router.open(ConfigReader.read(file), 1024);
        router.start(ServiceNotificationsFixture.watched(TimeUnit.HOURS.toNanos(1), notified));
        left = new MemoryHost(name + "-a", router.hostPool());
        right = new MemoryHost(name + "-b", router.hostPool());
        client = ControlClient.connect(name);
    }

    @AfterEach
    void stop() throws IOException
    {
        LogLevel.DEFAULT.apply();
        client.close();
        left.close();
        right.close();
        router.close();
    }

    @Test
    void shouldSayThatNothingHasChanged() throws IOException
    {
        assertEquals(List.of(), reload());
        assertEquals(file.toString(), client.ask(ControlProtocol.request("reload")).get("file").asText());
    }

    @Test
    void shouldNotifyTheServiceManagerOfTheReload() throws IOException
    {
        write("icmp-error-burst = 20", "", "");
        reload();
        write("workers = 2", "", "");
        assertThrows(IOException.class, this::reload);
        final List<String> reloads = notified.stream()
            .filter(message -> !message.equals("WATCHDOG=1")).map(message -> message.replaceFirst("USEC=\\d+", ""))
            .collect(Collectors.toList());
        assertEquals(List.of(
            "RELOADING=1\nMONOTONIC_", "READY=1\nSTATUS=reloaded " + file + ", changes: 1",
            "RELOADING=1\nMONOTONIC_", "READY=1\nSTATUS=reload refused: " + file +
            ":5: router.workers: 1 -> 2 needs a restart"), reloads);
    }

    @Test
    void shouldChangeTheLogLevel() throws IOException
    {
        write("log-level = \"error\"", "", "");
        assertEquals(List.of("router: log-level info -> error"), reload());
        assertTrue(LOGGER.isErrorEnabled());
        assertFalse(LOGGER.isWarnEnabled());
        write("log-level = \"loud\"", "", "");
        assertThrows(IOException.class, this::reload);
        assertFalse(LOGGER.isWarnEnabled());
        write("", "", "");
        assertEquals(List.of("router: log-level error -> info"), reload());
        assertTrue(LOGGER.isInfoEnabled());
    }

    @Test
    void shouldSwitchAListOnReplaceItAndSwitchItOff() throws Exception
    {
        assertEquals(2, forwarded(OTHER, PERMITTED));
        write("", "acl-in = \"edge\"", UDP_1024);
        assertEquals(List.of("port left: acl-in none -> edge", "acl edge: added with 1 rule"), reload());
        assertEquals(1, forwarded(OTHER, PERMITTED));

        write("", "acl-in = \"edge\"", LIST + "protocol = \"udp\"\n");
        assertEquals(List.of("acl edge: 1 rule replaced by 1, counters of 0 kept"), reload());
        assertEquals(2, forwarded(OTHER, PERMITTED));

        write("", "", "");
        assertEquals(List.of("port left: acl-in edge -> none", "acl edge: removed"), reload());
        assertEquals(2, forwarded(OTHER, PERMITTED));
        assertEquals(0, client.ask(ControlProtocol.request("acl")).get("lists").size());
    }

    @Test
    void shouldKeepTheCountersOfRulesThatStay() throws Exception
    {
        write("", "acl-in = \"edge\"", UDP_1024);
        reload();
        forwarded(OTHER, PERMITTED, PERMITTED);
        assertEquals(List.of(2L, 1L), counts());

        write("", "acl-in = \"edge\"", UDP_1024.replace(
            "[[acl.rule]]", "[[acl.rule]]\naction = \"count\"\n[[acl.rule]]"));
        assertEquals(List.of("acl edge: 1 rule replaced by 2, counters of 1 kept"), reload());
        assertEquals(List.of(0L, 2L, 1L), counts());
        forwarded(OTHER, PERMITTED);
        assertEquals(List.of(2L, 3L, 2L), counts());

        write("", "acl-in = \"edge\"", UDP_1024 + "[[acl]]\nname = \"other\"\ndefault = \"permit\"\n");
        reload();
        assertEquals(List.of(3L, 2L, 0L), counts());
        write("", "acl-in = \"edge\"", UDP_1024.replace("name = \"edge\"", "name = \"edge\"\ndefault = \"prohibit\""));
        reload();
        assertEquals(List.of(3L, 0L), counts());
    }

    @Test
    void shouldChangeNothingForAWrongFile() throws Exception
    {
        write("", "acl-in = \"edge\"", UDP_1024);
        reload();
        write("icmp-error-burst = 0", "acl-in = \"edge\"", LIST);
        assertEquals(file + ":5: router.icmp-error-burst: 0 is out of range; give 1 to 10000", refusal());
        assertEquals(1, forwarded(OTHER, PERMITTED));
        Files.writeString(file, "[router\nx");
        refusal();
        Files.delete(file);
        assertEquals(file + ": cannot be read; give a readable file to -c (NoSuchFileException)", refusal());
        assertEquals(1, forwarded(OTHER, PERMITTED));
        write("", "acl-in = \"edge\"", UDP_1024);
        assertEquals(List.of(), reload());
    }

    @Test
    void shouldChangeNothingWhereAKeyNeedsARestart() throws Exception
    {
        write("workers = 2", "acl-in = \"edge\"", UDP_1024);
        assertEquals(file + ":5: router.workers: 1 -> 2 needs a restart", refusal());
        assertEquals(0, client.ask(ControlProtocol.request("acl")).get("lists").size());
        assertEquals(2, forwarded(OTHER, PERMITTED));
    }

    @Test
    void shouldFindThePortsInAnotherOrder() throws Exception
    {
        write("", "acl-in = \"edge\"", UDP_1024);
        final String text = Files.readString(file);
        final int first = text.indexOf("[[port]]");
        final int second = text.indexOf("[[port]]", first + 1);
        final int end = text.indexOf("[[route]]");
        Files.writeString(file, text.substring(0, first) + text.substring(second, end) +
            text.substring(first, second) + text.substring(end));
        assertEquals(List.of("port left: acl-in none -> edge", "acl edge: added with 1 rule"), reload());
        assertEquals(1, forwarded(OTHER, PERMITTED));
    }

    @Test
    void shouldChangeLimits() throws Exception
    {
        write("icmp-errors-per-second = 1\nicmp-error-burst = 7\npunts-per-second = 9\n" +
            "neighbor-refresh-seconds = 5", "", "");
        assertEquals(List.of(
            "limits: icmp-errors-per-second 1000 -> 1", "limits: icmp-error-burst 50 -> 7",
            "limits: punts-per-second 100000 -> 9", "control: neighbor-refresh-seconds 30 -> 5"), reload());
        final long startNs = System.nanoTime();
        final int answers = answersToExpiredFrames(60);
        final long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs);
        assertTrue(answers >= 7 && answers <= 7 + seconds + 1, answers + " answers in " + seconds + " s");
        write("icmp-error-burst = 10000\nicmp-errors-per-second = 1000000", "", "");
        reload();
        assertEquals(60, answersToExpiredFrames(60));
    }

    @Test
    void shouldAnswerReloadsOfSeveralClients() throws Exception
    {
        final List<Thread> threads = new ArrayList<>();
        final List<Throwable> failures = new ArrayList<>();
        for (int t = 0; t < 4; t++)
        {
            final Thread thread = new Thread(() ->
            {
                try (ControlClient other = ControlClient.connect(name))
                {
                    for (int i = 0; i < 20; i++)
                    {
                        other.ask(ControlProtocol.request("reload"));
                    }
                }
                catch (final IOException ex)
                {
                    synchronized (failures)
                    {
                        failures.add(ex);
                    }
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (int i = 0; i < 20; i++)
        {
            write("", i % 2 == 0 ? "acl-in = \"edge\"" : "", i % 2 == 0 ? UDP_1024 : "");
            client.ask(ControlProtocol.request("reload"));
        }
        for (final Thread thread : threads)
        {
            thread.join();
        }
        assertEquals(List.of(), failures);
        assertEquals(List.of(), reload());
        assertEquals(2, forwarded(OTHER, PERMITTED));
    }

    private int answersToExpiredFrames(final int count) throws Exception
    {
        final long before = drops("ttl");
        final long suppressed = counter("icmpSuppressed");
        for (int i = 0; i < count; i++)
        {
            left.send(PERMITTED.replace("40119c92", "0111db92"));
        }
        while (drops("ttl") < before + count)
        {
            Thread.sleep(1);
        }
        final int answers = count - (int)(counter("icmpSuppressed") - suppressed);
        assertEquals(answers, left.receive(answers).size());
        return answers;
    }

    private long counter(final String key) throws IOException
    {
        return client.ask(ControlProtocol.request("drops")).get(key).asLong();
    }

    private long drops(final String part) throws IOException
    {
        long sum = 0;
        for (final JsonNode row : client.ask(ControlProtocol.request("drops")).get("drops"))
        {
            sum += row.get("reason").asText().contains(part) ? row.get("frames").asLong() : 0;
        }
        return sum;
    }

    private int forwarded(final String... frames) throws Exception
    {
        final long dropped = drops("access");
        for (final String frame : frames)
        {
            left.send(frame);
        }
        long denied = 0;
        int sent = 0;
        while (denied + sent < frames.length)
        {
            denied = drops("access") - dropped;
            sent += right.receive(frames.length - sent - (int)denied, 5).size();
        }
        return sent;
    }

    private List<Long> counts() throws IOException
    {
        final List<Long> counts = new ArrayList<>();
        client.ask(ControlProtocol.request("acl")).get("rules")
            .forEach(rule -> counts.add(rule.get("frames").asLong()));
        return counts;
    }

    private List<String> reload() throws IOException
    {
        final List<String> changes = new ArrayList<>();
        client.ask(ControlProtocol.request("reload")).get("changes").forEach(change ->
            changes.add(change.get("subject").asText() + ": " + change.get("change").asText()));
        return changes;
    }

    private String refusal()
    {
        return assertThrows(IOException.class, () -> client.ask(ControlProtocol.request("reload"))).getMessage();
    }

    private void write(final String routerKeys, final String leftKeys, final String tables) throws IOException
    {
        final Path written = Files.writeString(directory.resolve("written.toml"), String.join("\n",
            "[router]",
            "name = \"" + name + "\"",
            "control = \"static\"",
            "cores = []",
            routerKeys,
            "[[port]]",
            "name = \"left\"",
            "device = \"mem:" + name + "-a\"",
            "address = [\"10.0.0.1/24\"]",
            "mac = \"02:00:00:00:00:01\"",
            leftKeys,
            "[[port]]",
            "name = \"right\"",
            "device = \"mem:" + name + "-b\"",
            "address = [\"10.0.1.1/24\"]",
            "mac = \"02:00:00:00:00:02\"",
            "[[route]]",
            "prefix = \"192.0.2.0/24\"",
            "via = \"10.0.1.2\"",
            "[[neighbor]]",
            "address = \"10.0.1.2\"",
            "mac = \"02:00:00:00:01:02\"",
            "[[neighbor]]",
            "address = \"10.0.0.2\"",
            "mac = \"02:00:00:00:00:aa\"",
            tables));
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
