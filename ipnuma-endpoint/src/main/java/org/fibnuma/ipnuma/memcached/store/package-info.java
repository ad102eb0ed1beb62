/**
 * The items of a memcached server, outside the heap.
 * <pre>
 *  ItemStore: set, add, cas, append, incr, touch, flush; LRU, expiry, statistics
 *    ItemIndex    key --&gt; item: chains of items in an array of buckets
 *    LruLists     one list of items for each slab class
 *    SlabMemory   pages, cut into chunks of the sizes of SlabClasses
 *      ItemMemory   fields of an item by its handle (ItemLayout), with a check of every bound
 * </pre>
 * An item is an {@code int}, its handle: page and place in the page. There is no Java object for an item. Nothing here
 * is safe for several threads: whoever uses a store holds the lock of its server.
 */
package org.fibnuma.ipnuma.memcached.store;
