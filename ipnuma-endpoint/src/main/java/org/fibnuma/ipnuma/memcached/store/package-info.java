/**
 * The items of a memcached server, outside the heap.
 * <pre>
 *  ItemStore: set, add, cas, append, incr, touch, flush; LRU, expiry, statistics
 *    ItemIndex    key --&gt; item: chains of items in an array of buckets
 *    LruLists     one list of items for each slab class
 *    SlabMemory   slab pages, divided into chunks of the sizes of SlabClasses
 *      ItemMemory   fields of an item by its handle (ItemLayout), with a check of every bound
 * </pre>
 * An item is an {@code int}, its handle: slab page and offset in it. There is no Java object for an item. No class here
 * is thread-safe: only the holder of the server's lock uses a store.
 */
@org.fibnuma.core.Internal
package org.fibnuma.ipnuma.memcached.store;
