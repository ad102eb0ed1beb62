package org.fibnuma.ipnuma.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import org.agrona.CloseHelper;
import org.agrona.concurrent.status.CountersReader;
import org.fibnuma.core.DocumentedJson;
import org.fibnuma.core.counter.CountersFile;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.service.log.LogLevel;
import org.fibnuma.core.service.notify.ServiceNotifications;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.config.EndpointConfigReader;
import org.fibnuma.ipnuma.table.RemoteAddress;
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
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Reloads of an endpoint that a second one writes to without pause. The test runs both on its own thread.
 */
@Timeout(120)
class EndpointReloadTest
{
    private static final Logger LOGGER = LoggerFactory.getLogger(EndpointReloadTest.class);
    private static final int BOX = 1;
    private static final String THIRD = "[[peer]]\nid = 3\naddress = \"10.9.0.3\"\n";
    private static final String SEALED =
        "[[peer]]\nid = 3\naddress = \"10.9.0.3\"\nseal-key = \"000102030405060708090a0b0c0d0e0f\"\n";
    private static final String WRITE_ONLY = "access = \"write\"\n";

    @TempDir
    private Path directory;

    private final String prefix = "test-reload-" + ProcessHandle.current().pid() + "-";
    private final MemoryRegion data = MemoryRegion.ofBytes(Long.BYTES);
    private final Refusals refusals = new Refusals();
    private Endpoint a;
    private Endpoint b;
    private EndpointReload reload;
    private ReloadOutcome outcome;
    private long written;

    /** Counts what ends the traffic. */
    private static final class Refusals implements ChannelListener
    {
        private int errors;
        private int downs;

        @Override
        public void onError(final int pcId, final int status, final long remoteAddress)
        {
            errors++;
        }

        @Override
        public void onDown(final int pcId, final long pendingWrites)
        {
            downs++;
        }
    }

    @BeforeEach
    void open() throws Exception
    {
        a = Endpoint.open(EndpointConfigReader.read(file("a", 1, 2, "", WRITE_ONLY)), ChannelListener.NONE);
        b = Endpoint.open(EndpointConfigReader.read(file("b", 2, 1, "", WRITE_ONLY)), refusals);
        a.start();
        b.start();
        reload = EndpointReload.open(a, ServiceNotifications.ofThisProcess());
        outcome = new ReloadOutcome(CountersFile.directoryOf(prefix + "a"));
        runUntil(() -> b.agent().channel(1).isUp() && a.agent().channel(2).isUp());
        refusals.downs = 0;
    }

    @AfterEach
    void close()
    {
        LogLevel.DEFAULT.apply();
        CloseHelper.closeAll(reload, a, b, data);
        assertTrue(Files.notExists(CountersFile.directoryOf(prefix + "a")), "something is left in shared memory");
    }

    private void runUntil(final BooleanSupplier condition)
    {
        while (!condition.getAsBoolean())
        {
            FrameMemory.putLong(data.address(), written + 1);
            if (b.agent().channel(1).isUp() && b.agent().channel(1).write(
                RemoteAddress.of(BOX, 0), 0, data.address(), Long.BYTES, true, 0))
            {
                written++;
                b.agent().channel(1).flush();
            }
            a.agent().doWork();
            reload.poll();
            b.agent().doWork();
        }
    }

    /** Reloads under traffic, and returns when all that was written before has arrived. */
    private JsonNode reloaded(final String peers, final String regionKeys) throws IOException
    {
        file("a", 1, 2, peers, regionKeys);
        return reloaded();
    }

    /** Yields the changes of peers in a reload after which the first peer is another one. */
    private String changesWithPeer(final int id) throws IOException
    {
        file("a", 1, id, "", WRITE_ONLY);
        return reloaded().get("changes").toString().replace(",\"region box: allow changed\"", "");
    }

    private JsonNode reloaded() throws IOException
    {
        final long before = outcome.read().get("number").asLong();
        reload.request();
        runUntil(() -> number() != before);
        DocumentedJson.assertMatches("ipnuma reload", outcome.read());
        return outcome.read();
    }

    private long number()
    {
        try
        {
            return outcome.read().get("number").asLong();
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private long stored()
    {
        return FrameMemory.getLong(a.regions().region(BOX).address());
    }

    private long countersOfPeer(final int peer)
    {
        final CountersReader counters = a.counters();
        final long[] found = new long[1];
        counters.forEach((id, typeId, key, label) -> found[0] += label.startsWith("peer " + peer + " ") ? 1 : 0);
        return found[0];
    }

    @Test
    void shouldAddAndRemovePeersWhileAnotherWrites() throws Exception
    {
        for (int i = 0; i < 20; i++)
        {
            assertEquals("[\"peer 3 10.9.0.3 added\"]", reloaded(THIRD, WRITE_ONLY).get("changes").toString());
            assertNotNull(a.agent().channel(3));
            assertTrue(countersOfPeer(3) > 0);
            assertEquals("[\"peer 3 10.9.0.3 changed\"]", reloaded(SEALED, WRITE_ONLY).get("changes").toString());
            assertEquals("[\"peer 3 10.9.0.3 removed\"]", reloaded("", WRITE_ONLY).get("changes").toString());
            assertNull(a.agent().channel(3));
            assertEquals(0, countersOfPeer(3));
        }
        final long sent = written;
        runUntil(() -> stored() >= sent);
        assertEquals(0, refusals.errors);
        assertEquals(0, refusals.downs, "the other peer was interrupted");
        assertTrue(a.agent().counters().isBalanced());
    }

    /** A peer that is removed and added again gets its connection back. */
    @Test
    void shouldConnectAgainWithAPeerThatWasRemoved() throws Exception
    {
        assertEquals("[\"peer 2 10.9.0.2 removed\",\"peer 3 10.9.0.3 added\"]", changesWithPeer(3));
        assertNull(a.agent().channel(2));
        runUntil(() -> !b.agent().channel(1).isUp());
        assertEquals(1, refusals.downs);
        assertEquals("[\"peer 3 10.9.0.3 removed\",\"peer 2 10.9.0.2 added\"]", changesWithPeer(2));
        runUntil(() -> b.agent().channel(1).isUp());
        final long from = written;
        runUntil(() -> stored() > from);
    }

    @Test
    void shouldChangeTheRightsOfARegion() throws Exception
    {
        assertEquals("[\"region box: access changed\"]",
            reloaded("", "access = \"read\"\n").get("changes").toString());
        runUntil(() -> refusals.errors > 0);
        assertEquals("[\"region box: access, key changed\"]",
            reloaded("", WRITE_ONLY + "key = \"0x17\"\n").get("changes").toString());
        final int before = refusals.errors;
        runUntil(() -> refusals.errors > before);
        assertEquals("[\"region box: key changed\"]", reloaded("", WRITE_ONLY).get("changes").toString());
        final long from = written;
        runUntil(() -> stored() > from);
        assertEquals("[]", reloaded("", WRITE_ONLY).get("changes").toString());
    }

    @Test
    void shouldChangeNothingByAFileThatIsWrongOrNeedsARestart() throws Exception
    {
        final JsonNode wrong = reloaded(THIRD + "colour = 3\n", WRITE_ONLY);
        assertTrue(wrong.get("error").asText().contains("colour"), wrong::toString);
        assertNull(a.agent().channel(3));
        final JsonNode restart = reloaded(THIRD, WRITE_ONLY + "size-kib = 128\n");
        assertEquals(directory.resolve("a.toml") +
            ": the list of regions differs, which needs a restart of the endpoint", restart.get("error").asText());
        assertNull(a.agent().channel(3));
        assertEquals(0, refusals.errors + refusals.downs);
    }

    @Test
    void shouldChangeTheLogLevel() throws Exception
    {
        assertEquals("[\"log-level info -> warn\"]", reloadedWith("warn").get("changes").toString());
        assertTrue(LOGGER.isWarnEnabled());
        assertFalse(LOGGER.isInfoEnabled());
        assertEquals("[]", reloadedWith("warn").get("changes").toString());
        assertEquals(directory.resolve("a.toml") +
            ":2: endpoint.log-level: \"debug\" is not known; one of error, warn, info",
            reloadedWith("debug").get("error").asText());
        assertFalse(LOGGER.isInfoEnabled());
        assertEquals("[\"log-level warn -> info\"]", reloaded("", WRITE_ONLY).get("changes").toString());
        assertTrue(LOGGER.isInfoEnabled());
        assertEquals(0, refusals.errors + refusals.downs);
    }

    private JsonNode reloadedWith(final String logLevel) throws IOException
    {
        final Path file = file("a", 1, 2, "", WRITE_ONLY);
        Files.writeString(file, Files.readString(file).replace(
            "[endpoint]\n", "[endpoint]\nlog-level = \"" + logLevel + "\"\n"));
        return reloaded();
    }

    private Path file(
        final String name, final int id, final int peer, final String peers, final String regionKeys)
        throws IOException
    {
        return Files.writeString(directory.resolve(name + ".toml"), """
            [endpoint]
            name = "%s"
            device = "shm:%slink%s"
            address = "10.9.0.%d/24"
            [[peer]]
            id = %d
            address = "10.9.0.%d"
            %s
            [[region]]
            name = "box"
            allow = ["10.9.0.0/24"]
            %s%s
            """.formatted(prefix + name, prefix, name.equals("b") ? "@far" : "", id, peer, peer, peers,
            regionKeys.contains("key") ? "" : "key = \"none\"\n", regionKeys));
    }
}
