package org.fibnuma.ipnuma.memcached.store;

/** Result of storing a value. */
public enum StoreResult
{
    /** Stored. */
    STORED,
    /** The condition of the mode was not met. */
    NOT_STORED,
    /** The item has another CAS unique. */
    EXISTS,
    /** No item to compare the CAS unique with. */
    NOT_FOUND
}
