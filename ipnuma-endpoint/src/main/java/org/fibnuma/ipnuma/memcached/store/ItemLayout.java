package org.fibnuma.ipnuma.memcached.store;

/**
 * Offsets of the parts of an item in its chunk: a header, the key, the value, and CR LF. Value and line end are sent
 * with one copy. Numbers are in native byte order.
 */
final class ItemLayout
{
    /** Handle of the next item of the hash chain, or of the next free chunk. */
    static final int NEXT_OFFSET = 0;
    static final int NEWER_OFFSET = NEXT_OFFSET + Integer.BYTES;
    static final int OLDER_OFFSET = NEWER_OFFSET + Integer.BYTES;
    /** Second of the server's clock at which the item expires, 0 for never. */
    static final int EXPIRY_OFFSET = OLDER_OFFSET + Integer.BYTES;
    /** Second of the last access. */
    static final int TIME_OFFSET = EXPIRY_OFFSET + Integer.BYTES;
    /** Length of the value in bytes, without CR LF. */
    static final int VALUE_LENGTH_OFFSET = TIME_OFFSET + Integer.BYTES;
    static final int CLIENT_FLAGS_OFFSET = VALUE_LENGTH_OFFSET + Integer.BYTES;
    static final int KEY_LENGTH_OFFSET = CLIENT_FLAGS_OFFSET + Integer.BYTES;
    static final int CLASS_OFFSET = KEY_LENGTH_OFFSET + Byte.BYTES;
    static final int STATE_OFFSET = CLASS_OFFSET + Byte.BYTES;
    static final int CAS_OFFSET = STATE_OFFSET + Short.BYTES;
    static final int HASH_OFFSET = CAS_OFFSET + Long.BYTES;
    static final int KEY_OFFSET = HASH_OFFSET + Long.BYTES;
    static final int LINE_END_LENGTH = 2;

    /** State: the chunk contains an item. */
    static final int USED = 1;
    /** State: the item is in the index and in a list. */
    static final int LINKED = 2;
    /** State: the item was read since it was stored. */
    static final int FETCHED = 4;
    /** State: the value is outdated, by md with I or ms with a lower CAS. */
    static final int STALE = 8;
    /** State: one client was instructed to renew the value. */
    static final int TOKEN_SENT = 16;
    /** State: the key was received in base64. */
    static final int BINARY_KEY = 32;

    /**
     * Bytes that memcached 1.6.18 adds to key and value of an item: header 48, CAS 8, end of the key 1, CR LF 2. This
     * server needs one byte less. With this number, the limits are the same.
     */
    private static final int OVERHEAD = 59;
    private static final int CLIENT_FLAGS_LENGTH = 4;

    private ItemLayout()
    {
    }

    /** Returns the accounted bytes of an item. The result exceeds an {@code int} if the value is far too large. */
    static long size(final int keyLength, final int valueLength, final int clientFlags)
    {
        return (long)OVERHEAD + keyLength + valueLength + (clientFlags == 0 ? 0 : CLIENT_FLAGS_LENGTH);
    }
}
