package org.fibnuma.ipnuma.memcached.store;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The store against a map of the JDK. */
class ItemStorePropertyTest
{
    private static final int KEYS = 40;
    private static final StoreSettings ONE_PAGE = new StoreSettings(1 << 20, 1 << 20);

    /** What the model knows of a key. */
    private record Entry(byte[] value, int clientFlags, int expiry)
    {
    }

    private final Map<String, Entry> model = new HashMap<>();
    private long second = 1_000_000;

    @Property(tries = 100)
    void shouldHoldWhatAMapHolds(@ForAll final long seed, @ForAll @IntRange(min = 1, max = 400) final int steps)
    {
        model.clear();
        final Random random = new Random(seed);
        final ItemStore store = new ItemStore(StoreSettings.defaults(), new ServerClock(() -> second));
        for (int i = 0; i < steps; i++)
        {
            second += random.nextInt(10) == 0 ? 1 : 0;
            store.tick();
            model.values().removeIf(entry -> entry.expiry != 0 && entry.expiry <= store.now());
            step(store, random);
        }
        model.forEach((key, entry) -> assertHas(store, key, entry));
        store.crawl(1 << 20);
        assertEquals(model.size(), store.itemCount());
    }

    private void step(final ItemStore store, final Random random)
    {
        final String key = "key" + random.nextInt(KEYS);
        final Entry old = model.get(key);
        final int expiry = random.nextInt(4) == 0 ? store.clock().expiry(1 + random.nextInt(20)) : 0;
        final byte[] value = new byte[random.nextInt(20) == 0 ? random.nextInt(100_000) : random.nextInt(200)];
        random.nextBytes(value);
        final StoreMode mode = StoreMode.values()[random.nextInt(StoreMode.values().length)];
        switch (random.nextInt(6))
        {
            case 0 ->
            {
                final int item = find(store, key);
                assertEquals(old == null, item == ItemStore.NONE);
                if (item != ItemStore.NONE)
                {
                    store.unlink(item);
                    model.remove(key);
                }
            }
            case 1 ->
            {
                if (old == null)
                {
                    assertEquals(ItemStore.NONE, find(store, key));
                }
                else
                {
                    assertHas(store, key, old);
                    store.bump(find(store, key));
                }
            }
            default -> store(store, key, mode, new Entry(value, random.nextInt(2), expiry), random.nextBoolean());
        }
    }

    private void store(
        final ItemStore store, final String key, final StoreMode mode, final Entry entry, final boolean rightCas)
    {
        final Entry old = model.get(key);
        final int found = find(store, key);
        final long cas = found == ItemStore.NONE ? 1 : store.cas(found) + (rightCas ? 0 : 1);
        final int item = allocate(store, key, entry);
        final StoreResult result = store.store(item, mode, mode == StoreMode.CAS ? cas : 0, false);
        final StoreResult expected = switch (mode)
        {
            case SET -> StoreResult.STORED;
            case ADD -> old == null ? StoreResult.STORED : StoreResult.NOT_STORED;
            case REPLACE, APPEND, PREPEND -> old == null ? StoreResult.NOT_STORED : StoreResult.STORED;
            case CAS -> old == null ? StoreResult.NOT_FOUND : rightCas ? StoreResult.STORED : StoreResult.EXISTS;
        };
        // Joined values beyond the limit of an item stay as they are.
        final boolean isJoin = mode == StoreMode.APPEND || mode == StoreMode.PREPEND;
        if (isJoin && old != null && !store.fits(key.length(), old.value.length + entry.value.length, old.clientFlags))
        {
            assertEquals(StoreResult.NOT_STORED, result);
            return;
        }
        assertEquals(expected, result);
        if (result == StoreResult.STORED)
        {
            model.put(key, !isJoin ? entry : new Entry(
                mode == StoreMode.APPEND ? join(old.value, entry.value) : join(entry.value, old.value),
                old.clientFlags, old.expiry));
        }
    }

    private static byte[] join(final byte[] first, final byte[] second)
    {
        final byte[] joined = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, joined, first.length, second.length);
        return joined;
    }

    private static int allocate(final ItemStore store, final String key, final Entry entry)
    {
        final byte[] bytes = key.getBytes(StandardCharsets.US_ASCII);
        final int item = store.allocate(bytes, 0, bytes.length, entry.clientFlags, entry.expiry, entry.value.length);
        if (item != ItemStore.NONE)
        {
            store.valueWindow(item).put(entry.value);
        }
        return item;
    }

    private static int find(final ItemStore store, final String key)
    {
        final byte[] bytes = key.getBytes(StandardCharsets.US_ASCII);
        return store.find(bytes, 0, bytes.length);
    }

    private static void assertHas(final ItemStore store, final String key, final Entry entry)
    {
        final int item = find(store, key);
        assertTrue(item != ItemStore.NONE, key);
        final byte[] value = new byte[store.valueLength(item)];
        final ByteBuffer window = store.valueWindow(item);
        window.get(value);
        assertArrayEquals(entry.value, value, key);
        assertEquals(entry.clientFlags, store.clientFlags(item));
        assertEquals(entry.expiry, store.expiry(item));
        assertTrue(store.hasLineEnd(item));
    }

    /** With one page for all classes: each found value is the one stored last, and memory is never exhausted. */
    @Property(tries = 20)
    void shouldEvictAndMovePagesWithinItsMemory(@ForAll final long seed)
    {
        final Random random = new Random(seed);
        final ItemStore store = new ItemStore(ONE_PAGE, new ServerClock(() -> second));
        final Map<String, Entry> stored = new HashMap<>();
        for (int i = 0; i < 3000; i++)
        {
            final String key = "key" + random.nextInt(2000);
            final byte[] value = new byte[random.nextInt(i % 500 < 400 ? 300 : 200_000)];
            random.nextBytes(value);
            final Entry entry = new Entry(value, 0, 0);
            final int item = allocate(store, key, entry);
            assertTrue(item != ItemStore.NONE);
            assertEquals(StoreResult.STORED, store.store(item, StoreMode.SET, 0, false));
            stored.put(key, entry);
            final String other = "key" + random.nextInt(2000);
            if (find(store, other) != ItemStore.NONE)
            {
                assertHas(store, other, stored.get(other));
            }
        }
        assertTrue(store.counter(StoreCounter.EVICTIONS) > 0);
        assertEquals(ONE_PAGE.memoryBytes(), store.allocatedBytes());
    }

    /** The same numbers of items again, once with and once without an expiry of the first ones. */
    @Property(tries = 1)
    void shouldUseTheMemoryOfExpiredItemsBeforeNewOne()
    {
        final ItemStore store = new ItemStore(StoreSettings.defaults(), new ServerClock(() -> second));
        fill(store, "first", 10);
        final long once = store.allocatedBytes();
        second += 20;
        store.tick();
        fill(store, "second", 0);
        assertTrue(store.allocatedBytes() <= once + once / 8, once + " bytes, then " + store.allocatedBytes());
        assertEquals(store.counter(StoreCounter.EXPIRED_UNFETCHED), store.counter(StoreCounter.CRAWLER_RECLAIMED));
        fill(store, "third", 0);
        assertTrue(store.allocatedBytes() >= 2 * once - once / 8, "living items stay");
        assertTrue(find(store, "second1") != ItemStore.NONE);
        assertEquals(0, store.counter(StoreCounter.EVICTIONS));
    }

    private void fill(final ItemStore store, final String prefix, final int lifetime)
    {
        for (int i = 0; i < 50_000; i++)
        {
            final Entry entry =
                new Entry(new byte[300], 0, lifetime == 0 ? 0 : store.clock().expiry(lifetime));
            assertEquals(StoreResult.STORED,
                store.store(allocate(store, prefix + i, entry), StoreMode.SET, 0, false));
        }
    }

    @Property(tries = 1)
    void shouldRefuseWhenEveryChunkIsBeingReceived()
    {
        final ItemStore store = new ItemStore(ONE_PAGE, new ServerClock(() -> second));
        final Entry entry = new Entry(new byte[500_000], 0, 0);
        assertTrue(allocate(store, "a", entry) != ItemStore.NONE);
        int count = 1;
        while (allocate(store, "b", entry) != ItemStore.NONE)
        {
            count++;
        }
        assertTrue(count <= 2, count + " items of half a page in a page");
        assertEquals(1, store.counter(StoreCounter.STORE_NO_MEMORY));
    }
}
