package org.fibnuma.ipnuma.window;

/** Order in which the writes of a window take effect at a peer. */
public enum StoreOrder
{
    /** Writes take effect in the order in which they were stored. */
    IN_ORDER,
    /** Each write takes effect on arrival. A lost write delays no other. */
    RELAXED
}
