package org.fibnuma.ipnuma.memcached.store;

/** Result of an increment or decrement. */
public enum DeltaResult
{
    /** {@link ItemStore#deltaValue} is the new value. */
    OK,
    /** The value is no number of 64 bits. */
    NON_NUMERIC,
    /** No memory for a longer value. */
    OUT_OF_MEMORY,
    /** No such item. */
    NOT_FOUND,
    /** The item has another CAS unique. */
    EXISTS
}
