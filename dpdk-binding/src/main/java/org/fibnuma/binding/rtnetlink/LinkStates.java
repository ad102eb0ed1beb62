package org.fibnuma.binding.rtnetlink;

import org.agrona.collections.Long2LongHashMap;

/** What the kernel's routes depend on in each link, as {@link LinkDecoder#routingState} gives it. */
final class LinkStates
{
    private static final long UNKNOWN = -1;

    private final Long2LongHashMap states = new Long2LongHashMap(UNKNOWN);

    /** Forgets all. */
    void clear()
    {
        states.clear();
    }

    /**
     * Remembers a link's state.
     *
     * @param interfaceIndex of the link.
     * @param state          as it is now.
     * @return whether it was known and is not what it was.
     */
    boolean changed(final int interfaceIndex, final long state)
    {
        final long before = states.put(interfaceIndex, state);
        return before != UNKNOWN && before != state;
    }

    /**
     * Forgets a link.
     *
     * @param interfaceIndex of the link.
     */
    void remove(final int interfaceIndex)
    {
        states.remove(interfaceIndex);
    }
}
