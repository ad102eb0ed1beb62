package org.fibnuma.ipnuma.window;

/** Order in which the writes of a window take effect at a peer. */
public enum StoreOrder
{
    /** In the order of the stores. */
    IN_ORDER,
    /** Each on arrival: a lost write delays no other. */
    RELAXED
}
