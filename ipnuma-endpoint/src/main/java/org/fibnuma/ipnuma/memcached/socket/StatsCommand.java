package org.fibnuma.ipnuma.memcached.socket;

import org.fibnuma.ipnuma.memcached.protocol.RequestLine;
import org.fibnuma.ipnuma.memcached.store.ItemStore;
import org.fibnuma.ipnuma.memcached.store.StoreCounter;

import java.util.List;

/** {@code stats} alone, or with settings, items, slabs, sizes or reset. For the holder of the store's lock. */
final class StatsCommand
{
    private static final byte[] END = TextCommands.ascii("END");
    private static final byte[] RESET = TextCommands.ascii("RESET");
    private static final byte[] ERROR = TextCommands.ascii("ERROR");
    private static final List<StoreCounter> SLAB_COUNTERS = List.of(
        StoreCounter.GET_HITS, StoreCounter.CMD_SET, StoreCounter.DELETE_HITS, StoreCounter.INCR_HITS,
        StoreCounter.DECR_HITS, StoreCounter.CAS_HITS, StoreCounter.CAS_BADVAL, StoreCounter.TOUCH_HITS);
    private static final List<StoreCounter> ITEM_COUNTERS = List.of(
        StoreCounter.EXPIRED_UNFETCHED, StoreCounter.EVICTED_UNFETCHED, StoreCounter.CRAWLER_RECLAIMED,
        StoreCounter.CRAWLER_ITEMS_CHECKED);
    /**
     * Fields of memcached 1.6.18 about parts that this server does not have. They are 0, for programs that read them.
     */
    private static final List<String> ABSENT = List.of(
        "response_obj_oom", "response_obj_count", "response_obj_bytes", "read_buf_count", "read_buf_bytes",
        "read_buf_bytes_free", "read_buf_oom", "reserved_fds", "auth_cmds", "auth_errors", "listen_disabled_num",
        "time_in_listen_disabled_us", "conn_yields", "hash_is_expanding", "slab_reassign_rescues",
        "slab_reassign_chunk_rescues", "slab_reassign_evictions_nomem", "slab_reassign_inline_reclaim",
        "slab_reassign_busy_items", "slab_reassign_busy_deletes", "slab_reassign_running", "lru_crawler_running",
        "lru_crawler_starts", "lru_maintainer_juggles", "malloc_fails", "log_worker_dropped", "log_worker_written",
        "log_watcher_skipped", "log_watcher_sent", "log_watchers", "unexpected_napi_ids", "round_robin_fallback",
        "slab_global_page_pool", "evicted_active", "lrutail_reflocked", "moves_to_cold", "moves_to_warm",
        "moves_within_lru", "lru_bumps_dropped");
    private static final List<String> ABSENT_OF_ITEMS = List.of(
        "number_hot", "number_warm", "age_hot", "age_warm", "tailrepairs", "evicted_active", "lrutail_reflocked",
        "moves_to_cold", "moves_to_warm", "moves_within_lru", "hits_to_hot", "hits_to_warm", "hits_to_temp");
    /** Fixed settings under memcached's names. */
    private static final String FIXED_SETTINGS = """
        verbosity 0
        oldest 0
        evictions on
        domain_socket NULL
        umask 700
        shutdown_command no
        growth_factor 1.25
        chunk_size 48
        num_threads_per_udp 1
        stat_key_prefix :
        detail_enabled no
        reqs_per_event 0
        cas_enabled yes
        binding_protocol ascii
        auth_enabled_sasl no
        auth_enabled_ascii no
        maxconns_fast yes
        slab_reassign yes
        slab_automove 0
        slab_automove_ratio 0
        slab_automove_window 0
        slab_automove_freeratio 0
        slab_chunk_max 0
        lru_crawler yes
        lru_crawler_sleep 100
        lru_crawler_tocrawl 0
        tail_repair_time 0
        flush_enabled yes
        dump_enabled no
        hash_algorithm multiply
        lru_maintainer_thread no
        lru_segmented no
        hot_lru_pct 0
        warm_lru_pct 0
        hot_max_factor 0
        warm_max_factor 0
        temp_lru no
        temporary_ttl 0
        idle_timeout 0
        watcher_logbuf_size 0
        worker_logbuf_size 0
        read_buf_mem_limit 0
        track_sizes no
        inline_ascii_response no
        num_napi_ids (null)
        memory_file (null)""";

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
            case "sizes" -> reply.line("STAT sizes_status disabled");
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
        final CpuTime cpu = CpuTime.read();
        write(reply, "pid", ProcessHandle.current().pid());
        write(reply, "uptime", store.clock().uptime());
        write(reply, "time", store.clock().unixSeconds());
        write(reply, "version", TextCommands.VERSION);
        write(reply, "pointer_size", Long.SIZE);
        write(reply, "rusage_user", cpu.user());
        write(reply, "rusage_system", cpu.system());
        write(reply, "max_connections", settings.maxConnections());
        write(reply, "curr_connections", connections.count());
        write(reply, "connection_structures", connections.count());
        for (final StoreCounter counter : StoreCounter.values())
        {
            write(reply, counter.label(), store.counter(counter));
        }
        write(reply, "direct_reclaims",
            store.counter(StoreCounter.EVICTIONS) + store.counter(StoreCounter.RECLAIMED));
        write(reply, "limit_maxbytes", store.settings().memoryBytes());
        write(reply, "threads", settings.threads());
        write(reply, "hash_power_level", store.hashPower());
        write(reply, "hash_bytes", (long)Integer.BYTES << store.hashPower());
        write(reply, "total_malloced", store.allocatedBytes());
        write(reply, "bytes", store.usedBytes());
        write(reply, "curr_items", store.itemCount());
        reply.line("STAT accepting_conns 1");
        for (final String name : ABSENT)
        {
            write(reply, name, 0);
        }
    }

    private void writeSettings(final ReplyBuffer reply)
    {
        write(reply, "maxbytes", store.settings().memoryBytes());
        write(reply, "maxconns", settings.maxConnections());
        write(reply, "item_size_max", store.settings().maxItemBytes());
        write(reply, "tcpport", settings.tcp() == null ? 0 : settings.tcp().getPort());
        write(reply, "udpport", settings.udp() == null ? 0 : settings.udp().getPort());
        write(reply, "inter", settings.tcp() == null ? "NULL" : settings.tcp().getHostString());
        write(reply, "tcp_backlog", MemcachedServer.BACKLOG);
        write(reply, "num_threads", settings.threads());
        write(reply, "hashpower_init", store.hashPower());
        FIXED_SETTINGS.lines().forEach(line -> reply.line("STAT " + line));
    }

    private void writeItems(final ReplyBuffer reply)
    {
        for (int i = 1; i <= store.lastSlabClass(); i++)
        {
            if (store.itemCount(i) > 0)
            {
                writeItems(reply, i, "items:" + i + ":");
            }
        }
    }

    /**
     * The only list of a class is reported as memcached's cold list: any of its items may be the next to be removed.
     */
    private void writeItems(final ReplyBuffer reply, final int slabClass, final String prefix)
    {
        final long evicted = store.counter(StoreCounter.EVICTIONS, slabClass);
        final long reclaimed = store.counter(StoreCounter.RECLAIMED, slabClass);
        write(reply, prefix + "number", store.itemCount(slabClass));
        write(reply, prefix + "number_cold", store.itemCount(slabClass));
        write(reply, prefix + "age", store.oldestAge(slabClass));
        write(reply, prefix + "mem_requested", store.usedBytes(slabClass));
        write(reply, prefix + "evicted", evicted);
        write(reply, prefix + "evicted_nonzero", store.evictedNonzero(slabClass));
        write(reply, prefix + "evicted_time", store.evictedTime(slabClass));
        write(reply, prefix + "outofmemory", store.counter(StoreCounter.STORE_NO_MEMORY, slabClass));
        write(reply, prefix + "reclaimed", reclaimed);
        write(reply, prefix + "direct_reclaims", evicted + reclaimed);
        write(reply, prefix + "hits_to_cold", store.counter(StoreCounter.GET_HITS, slabClass));
        for (final StoreCounter counter : ITEM_COUNTERS)
        {
            write(reply, prefix + counter.label(), store.counter(counter, slabClass));
        }
        for (final String name : ABSENT_OF_ITEMS)
        {
            write(reply, prefix + name, 0);
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
                write(reply, i + ":chunks_per_page", store.chunks(i) / store.pages(i));
                write(reply, i + ":total_pages", store.pages(i));
                write(reply, i + ":total_chunks", store.chunks(i));
                write(reply, i + ":used_chunks", store.usedChunks(i));
                write(reply, i + ":free_chunks", store.chunks(i) - store.usedChunks(i));
                write(reply, i + ":free_chunks_end", 0);
                for (final StoreCounter counter : SLAB_COUNTERS)
                {
                    write(reply, i + ":" + counter.label(), store.counter(counter, i));
                }
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
