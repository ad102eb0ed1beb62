package org.fibnuma.ipnuma.memcached.socket;

import org.fibnuma.ipnuma.memcached.protocol.RequestLine;
import org.fibnuma.ipnuma.memcached.store.ItemStore;
import org.fibnuma.ipnuma.memcached.store.StoreCounter;

/** {@code stats} without more, and with settings, items, slabs or reset. For the holder of the store's lock. */
final class StatsCommand
{
    private static final byte[] END = TextCommands.ascii("END");
    private static final byte[] RESET = TextCommands.ascii("RESET");
    private static final byte[] ERROR = TextCommands.ascii("ERROR");

    private final ItemStore store;
    private final MemcachedSettings settings;
    private final ConnectionLimit connections;

    StatsCommand(final ItemStore store, final MemcachedSettings settings, final ConnectionLimit connections)
    {
        this.store = store;
        this.settings = settings;
        this.connections = connections;
    }

    void execute(final Session session, final ReplyBuffer reply)
    {
        final RequestLine line = session.line();
        switch (line.count() == 1 ? "" : line.text(1))
        {
            case "" -> writeGeneral(reply);
            case "settings" -> writeSettings(reply);
            case "items" -> writeItems(reply);
            case "slabs" -> writeSlabs(reply);
            case "reset" ->
            {
                store.resetCounters();
                reply.line(RESET);
                return;
            }
            default ->
            {
                reply.line(ERROR);
                return;
            }
        }
        reply.line(END);
    }

    private void writeGeneral(final ReplyBuffer reply)
    {
        write(reply, "pid", ProcessHandle.current().pid());
        write(reply, "uptime", store.clock().uptime());
        write(reply, "time", store.clock().unixSeconds());
        write(reply, "version", TextCommands.VERSION);
        write(reply, "pointer_size", Long.SIZE);
        write(reply, "max_connections", settings.maxConnections());
        write(reply, "curr_connections", connections.count());
        for (final StoreCounter counter : StoreCounter.values())
        {
            write(reply, counter.label(), store.counter(counter));
        }
        write(reply, "limit_maxbytes", store.settings().memoryBytes());
        write(reply, "threads", settings.threads());
        write(reply, "total_malloced", store.allocatedBytes());
        write(reply, "bytes", store.usedBytes());
        write(reply, "curr_items", store.itemCount());
    }

    private void writeSettings(final ReplyBuffer reply)
    {
        write(reply, "maxbytes", store.settings().memoryBytes());
        write(reply, "maxconns", settings.maxConnections());
        write(reply, "item_size_max", store.settings().maxItemBytes());
        write(reply, "tcpport", settings.tcp() == null ? 0 : settings.tcp().getPort());
        write(reply, "udpport", settings.udp() == null ? 0 : settings.udp().getPort());
        write(reply, "evictions", "on");
        write(reply, "cas_enabled", "yes");
        write(reply, "flush_enabled", "yes");
        write(reply, "dump_enabled", "no");
        write(reply, "binding_protocol", "ascii");
        write(reply, "growth_factor", "1.25");
    }

    private void writeItems(final ReplyBuffer reply)
    {
        for (int i = 1; i <= store.lastSlabClass(); i++)
        {
            if (store.itemCount(i) > 0)
            {
                write(reply, "items:" + i + ":number", store.itemCount(i));
                write(reply, "items:" + i + ":age", store.oldestAge(i));
            }
        }
    }

    private void writeSlabs(final ReplyBuffer reply)
    {
        int active = 0;
        for (int i = 1; i <= store.lastSlabClass(); i++)
        {
            if (store.pages(i) > 0)
            {
                active++;
                write(reply, i + ":chunk_size", store.chunkSize(i));
                write(reply, i + ":total_pages", store.pages(i));
                write(reply, i + ":total_chunks", store.chunks(i));
                write(reply, i + ":used_chunks", store.usedChunks(i));
                write(reply, i + ":free_chunks", store.chunks(i) - store.usedChunks(i));
            }
        }
        write(reply, "active_slabs", active);
        write(reply, "total_malloced", store.allocatedBytes());
    }

    private static void write(final ReplyBuffer reply, final String name, final long value)
    {
        write(reply, name, Long.toString(value));
    }

    private static void write(final ReplyBuffer reply, final String name, final String value)
    {
        reply.line("STAT " + name + " " + value);
    }
}
