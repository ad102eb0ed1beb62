package org.fibnuma.ipnuma.memcached.store;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The items of a server. Keys are bytes of an array of the caller. Values are read and written through a buffer on the
 * store's memory. An item is identified by its handle, which is valid until the next call that stores, allocates or
 * removes items. One thread at a time uses a store.
 * <p>
 * A new item is allocated first ({@link #allocate}), filled ({@link #valueWindow}), and then stored or released. CAS
 * uniques count from 1, one for each item that is linked or changed, as in memcached.
 */
public final class ItemStore
{
    /** Longest key in bytes. */
    public static final int MAX_KEY_LENGTH = 250;
    /** Handle of no item. */
    public static final int NONE = 0;
    /** Binary logarithm of the smallest and usual size of a slab page. */
    private static final int MIN_PAGE_BITS = 20;
    /** Number of items at the end of a list that an allocation checks for expired ones. */
    private static final int TAIL_SEARCH = 5;
    /** Buckets that are searched for expired items before a slab page is added: about 1 ms if all contain items. */
    private static final int BUCKETS_BEFORE_GROWTH = 16 * 1024;
    /** Number of expired items of the class that such a search must find, so that no slab page is added. */
    private static final int WORTH_A_SEARCH = 8;

    private final ServerClock clock;
    private final StoreSettings settings;
    private final ItemMemory memory;
    private final SlabClasses classes;
    private final SlabMemory slabs;
    private final LruLists lists;
    private final ItemIndex index;
    private final long[] counters = new long[StoreCounter.values().length];
    private final long[][] classCounters;
    private final ClassUse[] uses;
    private final Decimal decimal = new Decimal();
    private final byte[] digits = new byte[Decimal.MAX_DIGITS];
    private final byte[] keyCopy = new byte[MAX_KEY_LENGTH];

    private int now;
    private long lastCas;
    private int flushTime;
    private long flushCas;
    /** Item that an allocation must not evict, or NONE. */
    private int pinned;
    private int crawlBucket;
    private long usedBytes;
    private long deltaValue;
    private int deltaItem;

    /** Creates an empty store. Slab pages are allocated as items are added. */
    public ItemStore(final StoreSettings settings, final ServerClock clock)
    {
        this.settings = settings;
        this.clock = clock;
        final int pageBits = Math.max(MIN_PAGE_BITS, Integer.SIZE - Integer.numberOfLeadingZeros(
            settings.maxItemBytes() - 1));
        memory = new ItemMemory(pageBits, (int)Math.max(1, settings.memoryBytes() >>> pageBits));
        classes = new SlabClasses(memory.pageSize());
        slabs = new SlabMemory(memory, classes);
        lists = new LruLists(memory, classes.last() + 1);
        index = new ItemIndex(memory, settings.memoryBytes());
        classCounters = new long[classes.last() + 1][counters.length];
        uses = new ClassUse[classes.last() + 1];
        Arrays.setAll(uses, slabClass -> new ClassUse());
        tick();
    }

    /** Reads the clock. Called before commands are executed. */
    public void tick()
    {
        now = clock.now();
    }

    /** Returns the second of the last tick. */
    public int now()
    {
        return now;
    }

    /** Returns the clock. */
    public ServerClock clock()
    {
        return clock;
    }

    /** Returns the limits. */
    public StoreSettings settings()
    {
        return settings;
    }

    /** Adds to a counter. */
    public void count(final StoreCounter counter, final long increment)
    {
        counters[counter.ordinal()] += increment;
    }

    /** Adds 1 to a counter, for all items and for the slab class of an item. */
    public void countItem(final StoreCounter counter, final int item)
    {
        countClass(counter, slabClass(item));
    }

    private void countClass(final StoreCounter counter, final int slabClass)
    {
        counters[counter.ordinal()]++;
        classCounters[slabClass][counter.ordinal()]++;
    }

    /** Returns a counter of a slab class. */
    public long counter(final StoreCounter counter, final int slabClass)
    {
        return classCounters[slabClass][counter.ordinal()];
    }

    /** Statistics of a slab class that are not counters. */
    private static final class ClassUse
    {
        private long usedBytes;
        private long evictedNonzero;
        private int evictedTime;
    }

    /** Returns the sum of {@link #size} of the items of a slab class. */
    public long usedBytes(final int slabClass)
    {
        return uses[slabClass].usedBytes;
    }

    /** Returns the number of evicted items of a slab class that had an expiry. */
    public long evictedNonzero(final int slabClass)
    {
        return uses[slabClass].evictedNonzero;
    }

    /** Returns the seconds between the last access to the latest evicted item of a slab class and its eviction. */
    public int evictedTime(final int slabClass)
    {
        return uses[slabClass].evictedTime;
    }

    /** Returns a counter. */
    public long counter(final StoreCounter counter)
    {
        return counters[counter.ordinal()];
    }

    /** Sets all counters to 0. */
    public void resetCounters()
    {
        Arrays.fill(counters, 0);
        for (final long[] ofClass : classCounters)
        {
            Arrays.fill(ofClass, 0);
        }
    }

    /** Returns whether an item of these lengths is within the limit. */
    public boolean fits(final int keyLength, final int valueLength, final int clientFlags)
    {
        return ItemLayout.size(keyLength, valueLength, clientFlags) <= settings.maxItemBytes();
    }

    /**
     * Allocates an item that no command finds yet. The least recently used items are removed if necessary.
     *
     * @param key         of at most {@link #MAX_KEY_LENGTH} bytes.
     * @param valueLength within {@link #fits}.
     * @param expiry      of {@link ServerClock#expiry}.
     * @return the item, or {@link #NONE} if there is no memory.
     */
    public int allocate(
        final byte[] key,
        final int keyOffset,
        final int keyLength,
        final int clientFlags,
        final int expiry,
        final int valueLength)
    {
        final int slabClass = classes.classOf((int)ItemLayout.size(keyLength, valueLength, clientFlags));
        if (!slabs.hasChunk(slabClass) && slabs.canGrow())
        {
            reclaimOrGrow(slabClass);
        }
        int item = slabs.allocate(slabClass);
        while (item == NONE)
        {
            if (!makeRoom(slabClass))
            {
                countClass(StoreCounter.STORE_NO_MEMORY, slabClass);
                return NONE;
            }
            item = slabs.allocate(slabClass);
        }
        memory.format(item, key, keyOffset, keyLength, valueLength);
        memory.putInt(item, ItemLayout.CLIENT_FLAGS_OFFSET, clientFlags);
        memory.putInt(item, ItemLayout.EXPIRY_OFFSET, expiry);
        memory.putInt(item, ItemLayout.TIME_OFFSET, now);
        memory.putLong(item, ItemLayout.CAS_OFFSET, 0);
        memory.putInt(item, ItemLayout.HASH_OFFSET, index.hash(key, keyOffset, keyLength));
        return item;
    }

    /** Adds a slab page only if a search in part of all items finds few expired ones of the class. */
    private void reclaimOrGrow(final int slabClass)
    {
        final int before = slabs.used(slabClass);
        crawl(BUCKETS_BEFORE_GROWTH);
        if (before - slabs.used(slabClass) < Math.min(WORTH_A_SEARCH, memory.pageSize() / chunkSize(slabClass)))
        {
            slabs.grow(slabClass);
        }
    }

    private boolean makeRoom(final int slabClass)
    {
        int victim = lists.oldest(slabClass);
        if (victim == pinned && victim != NONE)
        {
            victim = lists.newer(victim);
        }
        int searched = victim;
        for (int i = 0; i < TAIL_SEARCH && searched != NONE; i++)
        {
            if (searched != pinned && isDead(searched))
            {
                countItem(StoreCounter.RECLAIMED, searched);
                unlinkDead(searched);
                return true;
            }
            searched = lists.newer(searched);
        }
        if (victim != NONE)
        {
            evict(victim);
            return true;
        }
        if (slabs.takePage(slabClass, pinned, this::evict))
        {
            count(StoreCounter.SLABS_MOVED, 1);
            return true;
        }
        return false;
    }

    private void evict(final int item)
    {
        countItem(StoreCounter.EVICTIONS, item);
        if (!isFetched(item))
        {
            countItem(StoreCounter.EVICTED_UNFETCHED, item);
        }
        final ClassUse use = uses[slabClass(item)];
        use.evictedNonzero += expiry(item) == 0 ? 0 : 1;
        use.evictedTime = now - time(item);
        unlink(item);
    }

    private void unlinkDead(final int item)
    {
        if (!isFetched(item))
        {
            countItem(StoreCounter.EXPIRED_UNFETCHED, item);
        }
        unlink(item);
    }

    private boolean isDead(final int item)
    {
        return isExpired(item) || isFlushed(item);
    }

    private boolean isExpired(final int item)
    {
        final int expiry = expiry(item);
        return expiry != 0 && expiry <= now;
    }

    private boolean isFlushed(final int item)
    {
        return cas(item) < flushCas || flushTime != 0 && flushTime <= now && time(item) <= flushTime;
    }

    /** Releases an item that was allocated and not stored. */
    public void release(final int item)
    {
        slabs.free(item);
    }

    /** Returns the item with a key, or {@link #NONE}. An expired or flushed item is removed. */
    public int find(final byte[] key, final int offset, final int length)
    {
        final int item = index.find(index.hash(key, offset, length), key, offset, length);
        if (item == NONE)
        {
            return NONE;
        }
        if (isFlushed(item))
        {
            count(StoreCounter.GET_FLUSHED, 1);
            unlink(item);
            return NONE;
        }
        if (isExpired(item))
        {
            count(StoreCounter.GET_EXPIRED, 1);
            unlink(item);
            return NONE;
        }
        return item;
    }

    /** Makes an item the most recently used one, and marks it as fetched. */
    public void bump(final int item)
    {
        memory.setState(item, memory.state(item) | ItemLayout.FETCHED);
        memory.putInt(item, ItemLayout.TIME_OFFSET, now);
        lists.touch(item);
    }

    /** Makes an allocated item visible. The store must not have another item with its key. */
    public void link(final int item)
    {
        memory.setState(item, memory.state(item) | ItemLayout.LINKED);
        memory.putInt(item, ItemLayout.TIME_OFFSET, now);
        lastCas++;
        memory.putLong(item, ItemLayout.CAS_OFFSET, lastCas);
        index.add(item);
        lists.add(item);
        usedBytes += size(item);
        uses[slabClass(item)].usedBytes += size(item);
        count(StoreCounter.TOTAL_ITEMS, 1);
    }

    /** Removes an item and releases it. */
    public void unlink(final int item)
    {
        index.remove(item);
        lists.remove(item);
        usedBytes -= size(item);
        uses[slabClass(item)].usedBytes -= size(item);
        slabs.free(item);
    }

    /**
     * Stores an allocated item or releases it.
     *
     * @param item       filled.
     * @param mode       condition and position.
     * @param requestCas CAS unique of the request, 0 for none.
     * @param mayBeStale with {@link StoreMode#CAS}: a lower CAS unique stores too, and marks the item as stale.
     * @return the result. If it is {@link StoreResult#STORED}, {@link #lastCas()} is the item's CAS unique.
     */
    public StoreResult store(final int item, final StoreMode mode, final long requestCas, final boolean mayBeStale)
    {
        final int keyLength = memory.getKey(item, keyCopy);
        final int old = find(keyCopy, 0, keyLength);
        final StoreResult result = old == NONE ?
            storeNew(item, mode) : storeOver(item, old, mode, requestCas, mayBeStale);
        if (result != StoreResult.STORED)
        {
            release(item);
        }
        return result;
    }

    private StoreResult storeNew(final int item, final StoreMode mode)
    {
        if (mode == StoreMode.CAS)
        {
            count(StoreCounter.CAS_MISSES, 1);
            return StoreResult.NOT_FOUND;
        }
        if (mode != StoreMode.SET && mode != StoreMode.ADD)
        {
            return StoreResult.NOT_STORED;
        }
        link(item);
        return StoreResult.STORED;
    }

    private StoreResult storeOver(
        final int item, final int old, final StoreMode mode, final long requestCas, final boolean mayBeStale)
    {
        switch (mode)
        {
            case ADD:
                lists.touch(old);
                return StoreResult.NOT_STORED;
            case CAS:
                return compareAndStore(item, old, requestCas, mayBeStale);
            case APPEND:
            case PREPEND:
                return requestCas != 0 && requestCas != cas(old) ? StoreResult.EXISTS : join(item, old, mode);
            default:
                replace(old, item);
                return StoreResult.STORED;
        }
    }

    private StoreResult compareAndStore(
        final int item, final int old, final long requestCas, final boolean mayBeStale)
    {
        final boolean isStale =
            mayBeStale && requestCas != 0 && Long.compareUnsigned(requestCas, cas(old)) < 0;
        if (requestCas == 0 || requestCas != cas(old) && !isStale)
        {
            countItem(StoreCounter.CAS_BADVAL, old);
            return StoreResult.EXISTS;
        }
        if (isStale)
        {
            setExpiry(item, expiry(old));
            memory.setState(
                item, memory.state(item) | ItemLayout.STALE | memory.state(old) & ItemLayout.TOKEN_SENT);
        }
        countItem(StoreCounter.CAS_HITS, old);
        replace(old, item);
        return StoreResult.STORED;
    }

    private StoreResult join(final int item, final int old, final StoreMode mode)
    {
        final int keyLength = memory.getKey(item, keyCopy);
        final int length = valueLength(old) + valueLength(item);
        if (length < 0 || !fits(keyLength, length, clientFlags(old)))
        {
            return StoreResult.NOT_STORED;
        }
        pinned = old;
        final int joined = allocate(keyCopy, 0, keyLength, clientFlags(old), expiry(old), length);
        pinned = NONE;
        if (joined == NONE)
        {
            return StoreResult.NOT_STORED;
        }
        final int first = mode == StoreMode.APPEND ? old : item;
        final int second = mode == StoreMode.APPEND ? item : old;
        memory.copyValue(first, joined, 0);
        memory.copyValue(second, joined, valueLength(first));
        replace(old, joined);
        release(item);
        return StoreResult.STORED;
    }

    private void replace(final int old, final int item)
    {
        unlink(old);
        link(item);
    }

    /**
     * Adds to a number, modulo 2^64, or subtracts from it, down to 0. A shorter number is padded with spaces.
     *
     * @param increase   whether to add.
     * @param requestCas CAS unique that the item must have, 0 for any.
     * @return {@link DeltaResult#OK} if {@link #deltaValue()} and {@link #deltaItem()} have the result.
     */
    public DeltaResult delta(
        final byte[] key,
        final int offset,
        final int length,
        final boolean increase,
        final long delta,
        final long requestCas)
    {
        final int item = find(key, offset, length);
        if (item == NONE)
        {
            return DeltaResult.NOT_FOUND;
        }
        if (valueLength(item) == 0)
        {
            return DeltaResult.NON_NUMERIC;
        }
        if (requestCas != 0 && cas(item) != requestCas)
        {
            return DeltaResult.EXISTS;
        }
        if (!decimal.readUnsigned(valueWindow(item)))
        {
            return DeltaResult.NON_NUMERIC;
        }
        final long old = decimal.value();
        deltaValue = increase ? old + delta : Long.compareUnsigned(delta, old) > 0 ? 0 : old - delta;
        countItem(increase ? StoreCounter.INCR_HITS : StoreCounter.DECR_HITS, item);
        return putNumber(item);
    }

    private DeltaResult putNumber(final int item)
    {
        final int length = Decimal.format(deltaValue, digits);
        if (length <= valueLength(item))
        {
            memory.putPadded(item, digits, length);
            lastCas++;
            memory.putLong(item, ItemLayout.CAS_OFFSET, lastCas);
            memory.putInt(item, ItemLayout.TIME_OFFSET, now);
            lists.touch(item);
            deltaItem = item;
            return DeltaResult.OK;
        }
        final int keyLength = memory.getKey(item, keyCopy);
        pinned = item;
        final int longer = allocate(keyCopy, 0, keyLength, clientFlags(item), expiry(item), length);
        pinned = NONE;
        if (longer == NONE)
        {
            return DeltaResult.OUT_OF_MEMORY;
        }
        memory.putPadded(longer, digits, length);
        replace(item, longer);
        deltaItem = longer;
        return DeltaResult.OK;
    }

    /** Returns the number after the last successful {@link #delta}, unsigned. */
    public long deltaValue()
    {
        return deltaValue;
    }

    /** Returns the item of the last successful {@link #delta}. */
    public int deltaItem()
    {
        return deltaItem;
    }

    /** Makes all stored items invisible at once if the delay is 1 or less, else after the delay in seconds. */
    public void flush(final int delay)
    {
        final int time = delay > 0 ? clock.expiry(delay) : now;
        flushTime = time - 1;
        if (flushTime <= now)
        {
            lastCas++;
            flushCas = lastCas;
        }
    }

    /** Marks an item as outdated and gives it a new CAS unique. The next client that fetches it has to renew it. */
    public void invalidate(final int item)
    {
        memory.setState(item, memory.state(item) & ~ItemLayout.TOKEN_SENT | ItemLayout.STALE);
        lastCas++;
        memory.putLong(item, ItemLayout.CAS_OFFSET, lastCas);
    }

    /** Removes expired and flushed items of some buckets. The next call continues after these. */
    public void crawl(final int buckets)
    {
        for (int i = 0; i < buckets; i++)
        {
            int item = index.first(crawlBucket);
            crawlBucket++;
            while (item != NONE)
            {
                final int next = index.next(item);
                countItem(StoreCounter.CRAWLER_ITEMS_CHECKED, item);
                if (isDead(item))
                {
                    countItem(StoreCounter.CRAWLER_RECLAIMED, item);
                    unlinkDead(item);
                }
                item = next;
            }
        }
    }

    /** Returns the value as a buffer with position and limit, in memory that is valid until the next call. */
    public ByteBuffer valueWindow(final int item)
    {
        return valueWindow(item, 0, valueLength(item));
    }

    /**
     * Returns a part of the value.
     *
     * @param from   first byte, from 0.
     * @param length of the part. It may include the CR LF that follows the value.
     */
    public ByteBuffer valueWindow(final int item, final int from, final int length)
    {
        if (from < 0 || length < 0 || length > valueLength(item) + ItemLayout.LINE_END_LENGTH - from)
        {
            throw new IndexOutOfBoundsException(from + ", " + length + " of " + valueLength(item));
        }
        return memory.window(item, memory.valueOffset(item) + from, length);
    }

    /** Returns whether the two bytes behind the value are CR LF. */
    public boolean hasLineEnd(final int item)
    {
        final int end = memory.valueOffset(item) + valueLength(item);
        return memory.getByte(item, end) == '\r' && memory.getByte(item, end + 1) == '\n';
    }

    /** Copies the key to the start of an array and returns its length. */
    public int getKey(final int item, final byte[] target)
    {
        return memory.getKey(item, target);
    }

    /** Returns the length of the value in bytes. */
    public int valueLength(final int item)
    {
        return memory.valueLength(item);
    }

    /** Returns the client's flags, 32 bits. */
    public int clientFlags(final int item)
    {
        return memory.getInt(item, ItemLayout.CLIENT_FLAGS_OFFSET);
    }

    /** Returns the CAS unique. */
    public long cas(final int item)
    {
        return memory.getLong(item, ItemLayout.CAS_OFFSET);
    }

    /** Returns the CAS unique that was assigned last. */
    public long lastCas()
    {
        return lastCas;
    }

    /** Returns the second at which the item expires, 0 for never. */
    public int expiry(final int item)
    {
        return memory.getInt(item, ItemLayout.EXPIRY_OFFSET);
    }

    /** Sets the second at which the item expires, 0 for never. */
    public void setExpiry(final int item, final int second)
    {
        memory.putInt(item, ItemLayout.EXPIRY_OFFSET, second);
    }

    /** Returns the second of the last access. */
    public int time(final int item)
    {
        return memory.getInt(item, ItemLayout.TIME_OFFSET);
    }

    /** Returns whether the item was read since it was stored. */
    public boolean isFetched(final int item)
    {
        return (memory.state(item) & ItemLayout.FETCHED) != 0;
    }

    /** Returns whether the item is marked as outdated. */
    public boolean isStale(final int item)
    {
        return (memory.state(item) & ItemLayout.STALE) != 0;
    }

    /** Returns whether a client was instructed to renew the value. */
    public boolean isTokenSent(final int item)
    {
        return (memory.state(item) & ItemLayout.TOKEN_SENT) != 0;
    }

    /** Records that a client was instructed to renew the value. */
    public void setTokenSent(final int item)
    {
        memory.setState(item, memory.state(item) | ItemLayout.TOKEN_SENT);
    }

    /** Returns whether the key was received in base64. */
    public boolean isBinaryKey(final int item)
    {
        return (memory.state(item) & ItemLayout.BINARY_KEY) != 0;
    }

    /** Records that the key was received in base64. */
    public void setBinaryKey(final int item)
    {
        memory.setState(item, memory.state(item) | ItemLayout.BINARY_KEY);
    }

    /** Returns the slab class of an item, from 1. */
    public int slabClass(final int item)
    {
        return memory.getByte(item, ItemLayout.CLASS_OFFSET);
    }

    /** Returns the accounted bytes of an item: key, value and the overhead in memcached. */
    public long size(final int item)
    {
        return ItemLayout.size(memory.keyLength(item), valueLength(item), clientFlags(item));
    }

    /** Returns the number of items, including expired ones that are not yet removed. */
    public int itemCount()
    {
        return index.count();
    }

    /** Returns the sum of {@link #size} of all items. */
    public long usedBytes()
    {
        return usedBytes;
    }

    /** Returns the binary logarithm of the number of buckets of the index. */
    public int hashPower()
    {
        return index.power();
    }

    /** Returns the allocated memory in bytes. */
    public long allocatedBytes()
    {
        return (long)slabs.totalPages() * memory.pageSize();
    }

    /** Returns the highest slab class. */
    public int lastSlabClass()
    {
        return classes.last();
    }

    /** Returns the size of a chunk of a class in bytes. */
    public int chunkSize(final int slabClass)
    {
        return classes.chunkSize(slabClass);
    }

    /** Returns the number of slab pages of a class. */
    public int pages(final int slabClass)
    {
        return slabs.pages(slabClass);
    }

    /** Returns the number of used chunks of a class, including those of items that are being received. */
    public int usedChunks(final int slabClass)
    {
        return slabs.used(slabClass);
    }

    /** Returns the number of chunks in all slab pages of a class. */
    public int chunks(final int slabClass)
    {
        return slabs.pages(slabClass) * (memory.pageSize() / classes.chunkSize(slabClass));
    }

    /** Returns the number of items of a class. */
    public int itemCount(final int slabClass)
    {
        return lists.count(slabClass);
    }

    /** Returns the seconds since the last access to the least recently used item of a class, or 0. */
    public int oldestAge(final int slabClass)
    {
        final int oldest = lists.oldest(slabClass);
        return oldest == NONE ? 0 : now - time(oldest);
    }
}
