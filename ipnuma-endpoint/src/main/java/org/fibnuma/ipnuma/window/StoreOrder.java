package org.fibnuma.ipnuma.window;

/** In which order the writes of a window land at a peer. */
public enum StoreOrder
{
    /** As they were stored. */
    IN_ORDER,
    /** Each as soon as it arrives: a lost one holds up no other. */
    RELAXED
}
