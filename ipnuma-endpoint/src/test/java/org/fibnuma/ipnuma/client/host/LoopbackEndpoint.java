package org.fibnuma.ipnuma.client.host;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.ipnuma.channel.PeerChannel;
import org.fibnuma.ipnuma.client.ClientMessage;
import org.fibnuma.ipnuma.memory.RegionFile;
import org.fibnuma.ipnuma.memory.RegionRequest;
import org.fibnuma.ipnuma.memory.RegionStore;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RegionTable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** An endpoint whose only peer, PC ID 2, is its own region table, reached without a network. */
public final class LoopbackEndpoint implements PeerChannel, AutoCloseable
{
    static final int PEER = 2;
    static final int BOX = 7;
    static final int BOX_SIZE = 64 * 1024;
    static final int LONGEST_WRITE = 2048;
    static final long BOX_KEY = 0x1234;
    static final int SOURCE = Ipv4Address.parse("10.9.0.2");

    final RegionTable table = new RegionTable();
    final List<String> calls = new ArrayList<>();
    volatile boolean busy;
    final List<Long> tags = new ArrayList<>();
    boolean byMemory;
    boolean down;
    boolean silent;
    boolean record;
    /** What a read throws, null for nothing. */
    RuntimeException failure;
    private final Path directory;
    private final RegionStore store;
    private final RegionFile box;
    private final ClientRings rings;
    private final MemoryRegion scratch = MemoryRegion.ofBytes(4096);
    private volatile boolean stopped;
    private Thread thread;

    LoopbackEndpoint(final Path directory, final long timeoutNs, final int slots)
    {
        this.directory = directory;
        this.store = RegionStore.open(directory, 3);
        this.box = store.open(new RegionRequest("box", BOX, BOX_SIZE, 7));
        store.revokeLeftovers("box"::equals);
        table.add(new Region(BOX, "box", box.mapping().address(), BOX_SIZE, 7,
            List.of(Ipv4Prefix.parse("10.9.0.0/24")), BOX_KEY));
        this.rings = ClientRings.open(
            new ClientSettings(directory, 3, timeoutNs, slots, 16 * 1024, 8, 1 << 20), store, table,
            System.nanoTime());
        rings.connect(pcId -> pcId == PEER ? this : null);
        rings.announce(box);
    }

    static Path directory(final String name)
    {
        return Path.of("/dev/shm/fibnuma-test-" + name + "-" + ProcessHandle.current().pid());
    }

    /** Serves clients on a thread of its own. */
    LoopbackEndpoint start()
    {
        thread = new Thread(() ->
        {
            while (!stopped)
            {
                if (rings.poll(System.nanoTime()) == 0)
                {
                    LockSupport.parkNanos(20_000);
                }
            }
        }, "endpoint");
        thread.start();
        return this;
    }

    ClientRings rings()
    {
        return rings;
    }

    RegionFile box()
    {
        return box;
    }

    @Override
    public int longestWrite()
    {
        return LONGEST_WRITE;
    }

    @Override
    public boolean write(
        final long remoteAddress,
        final long key,
        final long dataAddress,
        final int length,
        final boolean ordered,
        final long tag)
    {
        if (!busy)
        {
            note("write", length);
            final int status = table.write(remoteAddress, shown(remoteAddress, key), SOURCE, dataAddress, length);
            if (status != 0)
            {
                rings.onPeer(ClientMessage.PEER_ERROR, PEER, status, remoteAddress);
            }
            if (tag != 0 && silent)
            {
                tags.add(tag);
            }
            else if (tag != 0)
            {
                rings.onWritten(tag, status);
            }
        }
        return !busy;
    }

    @Override
    public boolean passesByMemory()
    {
        return byMemory;
    }

    @Override
    public boolean scatter(
        final long regionAddress, final long key, final long listAddress, final int length, final long tag)
    {
        final boolean isTaken = byMemory && !busy;
        if (isTaken)
        {
            note("scatter", length);
            if (tag != 0)
            {
                rings.onWritten(tag, 0);
            }
        }
        return isTaken;
    }

    @Override
    public boolean read(final long remoteAddress, final long key, final int length, final long tag)
    {
        if (failure != null)
        {
            throw failure;
        }
        final int status = table.read(remoteAddress, shown(remoteAddress, key), SOURCE, scratch.address(), length);
        if (silent)
        {
            tags.add(tag);
        }
        else
        {
            rings.onRead(tag, scratch.address(), length, status);
        }
        return true;
    }

    @Override
    public boolean atomic(
        final int operation, final long remoteAddress, final long key, final long operand, final long compare,
        final int width, final long tag)
    {
        final int status = table.atomic(
            operation, remoteAddress, shown(remoteAddress, key), SOURCE, operand, compare, width);
        if (silent)
        {
            tags.add(tag);
        }
        else
        {
            rings.onAtomic(tag, table.lastValue(), status);
        }
        return true;
    }

    @Override
    public boolean doorbell()
    {
        note("doorbell", 0);
        rings.onPeer(ClientMessage.PEER_DOORBELL, PEER, 0, 0);
        return true;
    }

    @Override
    public void flush()
    {
        note("flush", 0);
    }

    @Override
    public int longestRead()
    {
        return ClientMessage.MAX_DATA_LENGTH;
    }

    @Override
    public boolean isUp()
    {
        return !down;
    }

    @Override
    public boolean usesPort(final int destinationPort)
    {
        throw noNetwork();
    }

    @Override
    public void onDatagram(
        final long payloadAddress, final int length, final int destinationPort, final boolean ce, final long nowNs)
    {
        throw noNetwork();
    }

    @Override
    public int poll(final long nowNs)
    {
        throw noNetwork();
    }

    @Override
    public long dueNs(final long nowNs)
    {
        throw noNetwork();
    }

    @Override
    public void onMacChange()
    {
        throw noNetwork();
    }

    @Override
    public void onFault()
    {
        throw noNetwork();
    }

    @Override
    public boolean publish(final long nowNs)
    {
        throw noNetwork();
    }

    @Override
    public void remove(final long nowNs)
    {
        throw noNetwork();
    }

    @Override
    public void close(final long nowNs)
    {
        throw noNetwork();
    }

    private static AssertionError noNetwork()
    {
        return new AssertionError("there is no network");
    }

    /** Returns the key of an access; clients need no key for the box. */
    private static long shown(final long remoteAddress, final long key)
    {
        return remoteAddress >>> 32 == BOX ? BOX_KEY : key;
    }

    private void note(final String call, final int length)
    {
        if (record)
        {
            calls.add(length == 0 ? call : call + " " + length);
        }
    }

    static int firstInt(final RegionFile file)
    {
        return FrameMemory.getInt(file.mapping().address());
    }

    @Override
    public void close()
    {
        stopped = true;
        try
        {
            if (thread != null)
            {
                thread.join(TimeUnit.SECONDS.toMillis(5));
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        rings.close();
        box.close();
        store.close();
        scratch.close();
        remove(directory);
    }

    static void remove(final Path directory)
    {
        try (Stream<Path> files = Files.walk(directory))
        {
            for (final Path file : (Iterable<Path>)files.sorted((a, b) -> b.compareTo(a))::iterator)
            {
                Files.delete(file);
            }
        }
        catch (final IOException ignore)
        {
            // The client has ended already.
        }
    }

    /**
     * Serves clients for a minute or until it is killed; prints {@code r} when it has started.
     *
     * @param arguments directory, timeout in milliseconds.
     */
    public static void main(final String[] arguments)
    {
        new LoopbackEndpoint(
            Path.of(arguments[0]), TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[1])), 4).start();
        System.out.print('r');
        System.out.flush();
        LockSupport.parkNanos(TimeUnit.MINUTES.toNanos(1));
        System.exit(0);
    }
}
