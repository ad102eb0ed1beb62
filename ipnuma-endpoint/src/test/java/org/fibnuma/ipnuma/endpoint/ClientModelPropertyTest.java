package org.fibnuma.ipnuma.endpoint;

import org.agrona.CloseHelper;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.client.host.ClientRings;
import org.fibnuma.ipnuma.client.host.ClientSettings;
import org.fibnuma.ipnuma.memory.RegionStore;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RegionAccess;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.wire.WireFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Several clients send random requests at once, valid and invalid, end their connections in every way that the memory
 * allows, and come again. Every request is answered as a model of the peer's memory says, the memory is the model's in
 * the end, and only those clients are given up that stored what no client may store.
 */
class ClientModelPropertyTest
{
    private static final long SEED = 37;
    private static final int CLIENTS = 4;
    private static final int TURNS = 12_000;
    private static final long TURN_NS = 5_000;
    private static final long TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long KEY = 0x1122_3344_5566_7788L;
    private static final int PAGE = 4096;

    @TempDir
    private Path directory;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final Map<Integer, FuzzedClient.Remote> model = new HashMap<>();
    private final Map<Integer, Long> addresses = new HashMap<>();
    private long time = System.nanoTime();
    private ClientRings rings;
    private TestEndpoint near;
    private TestEndpoint far;

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(open);
    }

    @ParameterizedTest
    @EnumSource(WireFormat.class)
    void shouldAnswerEveryRequestAsTheModelDoes(final WireFormat format)
    {
        start(format);
        final SplittableRandom random = new SplittableRandom(SEED);
        final List<FuzzedClient> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++)
        {
            clients.add(new FuzzedClient(directory, i, format, model, random.split()));
        }
        for (int i = 0; i < TURNS; i++)
        {
            turn(clients, true);
        }
        for (int i = 0; i < TURNS && !clients.stream().allMatch(FuzzedClient::isQuiet); i++)
        {
            turn(clients, false);
        }
        assertTrue(clients.stream().allMatch(FuzzedClient::isQuiet), () -> "seed " + SEED + ", unanswered: " +
            clients.stream().filter(client -> !client.isQuiet()).toList());
        assertEquals(clients.stream().mapToInt(FuzzedClient::givenUp).sum(), rings.diedCount());
        clients.forEach(client ->
        {
            assertTrue(client.answered() > 300, client + ": " + client.answered() + " answers");
            assertTrue(client.givenUp() > 0, client + ": given up " + client.givenUp() + " times");
        });
        model.forEach((id, remote) -> assertArrayEquals(remote.bytes(), bytes(id), "seed " + SEED + ", region " + id));
    }

    private byte[] bytes(final int id)
    {
        final byte[] bytes = new byte[model.get(id).bytes().length];
        FrameMemory.getBytes(addresses.get(id), bytes);
        return bytes;
    }

    private void start(final WireFormat format)
    {
        final String link = TestEndpoint.newLink();
        final MemoryRegion frames = keep(TestEndpoint.frames());
        final RegionStore store = keep(RegionStore.open(directory, 1));
        final RegionTable table = new RegionTable();
        rings = keep(ClientRings.open(
            new ClientSettings(directory, 1, TIMEOUT_NS, CLIENTS, 16 * 1024, 8, 1 << 20), store, table, time));
        near = keep(new TestEndpoint(link, TestEndpoint.pool(frames, 0), 1, 0, () -> time,
            new ClientEvents(rings, ChannelListener.NONE), rings::poll, TestEndpoint.peer(2, format)));
        rings.connect(near.agent()::channel);
        far = keep(new TestEndpoint(link + "@far", TestEndpoint.pool(frames, 1), 2, 0, () -> time,
            ChannelListener.NONE, TestEndpoint.peer(1, format)));
        final long key = format == WireFormat.FIBNUMA ? KEY : Region.NO_KEY;
        share(FuzzedClient.SHARED, CLIENTS * FuzzedClient.SLICE, key, RegionAccess.ALL);
        share(FuzzedClient.READ_ONLY, PAGE, Region.NO_KEY, RegionAccess.READ);
        for (int i = 0; i < TURNS && !near.agent().channel(2).isUp(); i++)
        {
            turn(List.of(), false);
        }
        assertTrue(near.agent().channel(2).isUp());
    }

    private void share(final int id, final int length, final long key, final int access)
    {
        final MemoryRegion memory = keep(MemoryRegion.ofBytes(length));
        far.regions().add(new Region(
            id, "region-" + id, memory.address(), length, access, List.of(Ipv4Prefix.parse("10.9.0.0/24")), key));
        model.put(id, new FuzzedClient.Remote(new byte[length], key, access));
        addresses.put(id, memory.address());
    }

    private void turn(final List<FuzzedClient> clients, final boolean sends)
    {
        time += TURN_NS;
        clients.forEach(client -> client.step(time, sends));
        near.agent().doWork();
        far.agent().doWork();
    }

    private <T extends AutoCloseable> T keep(final T resource)
    {
        open.push(resource);
        return resource;
    }
}
