package org.fibnuma.binding.rtnetlink;

import org.agrona.collections.Long2LongHashMap;
import org.fibnuma.core.kernel.KernelAddress;

import java.util.HashSet;
import java.util.Set;

/**
 * What the kernel's routes depend on in each interface: its state, as {@link LinkDecoder#routingState} gives it, and
 * its addresses.
 */
final class InterfaceStates
{
    private static final long UNKNOWN = -1;

    private final Long2LongHashMap states = new Long2LongHashMap(UNKNOWN);
    private final Set<KernelAddress> addresses = new HashSet<>();

    /** Forgets all. */
    void clear()
    {
        states.clear();
        addresses.clear();
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

    /**
     * Remembers an address.
     *
     * @param address of an interface.
     * @return false where it was known: the kernel also tells of a lease that was prolonged.
     */
    boolean addAddress(final KernelAddress address)
    {
        return addresses.add(address);
    }

    /**
     * Forgets an address.
     *
     * @param address of an interface.
     */
    void removeAddress(final KernelAddress address)
    {
        addresses.remove(address);
    }
}
