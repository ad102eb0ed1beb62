package org.fibnuma.ipnuma.memcached.store;

import java.util.Locale;

/** Counters of a server. The label is memcached's name. */
public enum StoreCounter
{
    /** Requested keys. */
    CMD_GET,
    /** Values received to be stored. */
    CMD_SET,
    /** Commands flush_all. */
    CMD_FLUSH,
    /** Keys touched, by gat too. */
    CMD_TOUCH,
    /** Meta commands. */
    CMD_META,
    /** Keys found. */
    GET_HITS,
    /** Keys not found. */
    GET_MISSES,
    /** Keys whose item had expired. */
    GET_EXPIRED,
    /** Keys whose item had been flushed. */
    GET_FLUSHED,
    /** Deletions without an item. */
    DELETE_MISSES,
    /** Deletions. */
    DELETE_HITS,
    /** Increments without an item. */
    INCR_MISSES,
    /** Increments. */
    INCR_HITS,
    /** Decrements without an item. */
    DECR_MISSES,
    /** Decrements. */
    DECR_HITS,
    /** CAS requests without an item. */
    CAS_MISSES,
    /** CAS requests that stored the value. */
    CAS_HITS,
    /** CAS requests with another CAS unique. */
    CAS_BADVAL,
    /** Items touched. */
    TOUCH_HITS,
    /** Touches without an item. */
    TOUCH_MISSES,
    /** Values above the limit. */
    STORE_TOO_LARGE,
    /** Values without memory. */
    STORE_NO_MEMORY,
    /** Bytes received. */
    BYTES_READ,
    /** Bytes sent. */
    BYTES_WRITTEN,
    /** Items stored since the start. */
    TOTAL_ITEMS,
    /** Items removed before they expired, to make room for others. */
    EVICTIONS,
    /** Expired items whose memory an allocation reused. */
    RECLAIMED,
    /** Expired items removed by the crawler. */
    CRAWLER_RECLAIMED,
    /** Items checked by the crawler. */
    CRAWLER_ITEMS_CHECKED,
    /** Expired items that were removed and never read. */
    EXPIRED_UNFETCHED,
    /** Items removed to make room for others and never read. */
    EVICTED_UNFETCHED,
    /** Slab pages moved from one class to another. */
    SLABS_MOVED,
    /** Datagrams without a valid header, or from the server's UDP port. */
    UDP_IGNORED,
    /** Connections beyond the limit. */
    REJECTED_CONNECTIONS,
    /** Connections since the start. */
    TOTAL_CONNECTIONS;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** Returns the name in the answer to {@code stats}. */
    public String label()
    {
        return label;
    }
}
