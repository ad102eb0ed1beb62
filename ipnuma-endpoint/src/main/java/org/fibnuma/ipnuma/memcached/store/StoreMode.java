package org.fibnuma.ipnuma.memcached.store;

/** How a received value is stored. */
public enum StoreMode
{
    /** With or without an existing item. */
    SET,
    /** Only if the key does not exist. */
    ADD,
    /** Only if the key exists. */
    REPLACE,
    /** Behind the existing value. */
    APPEND,
    /** Before the existing value. */
    PREPEND,
    /** Only if the item has the CAS unique of the request. */
    CAS
}
