package org.fibnuma.binding.rtnetlink;

import org.agrona.collections.IntHashSet;
import org.agrona.collections.Long2LongHashMap;
import org.fibnuma.core.kernel.KernelAddress;

import java.util.HashSet;
import java.util.Set;

/**
 * What the kernel's routes depend on in each interface: its state, as {@link LinkDecoder#routingState} gives it, and
 * its addresses. And which routes do, beside those that the kernel makes for addresses by itself: where an address
 * comes or goes, they tell whether routes may change with it that the kernel does not notify of. Routes that have gone
 * are forgotten with the next list.
 */
final class InterfaceStates
{
    private static final long UNKNOWN = -1;

    private final Long2LongHashMap states = new Long2LongHashMap(UNKNOWN);
    private final Set<KernelAddress> addresses = new HashSet<>();
    private final IntHashSet usedInterfaces = new IntHashSet();
    private final IntHashSet multipathInterfaces = new IntHashSet();
    private final IntHashSet sources = new IntHashSet();
    private boolean deadSeen;

    /** Forgets all. */
    void clear()
    {
        states.clear();
        addresses.clear();
        usedInterfaces.clear();
        multipathInterfaces.clear();
        sources.clear();
        deadSeen = false;
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
     * Whether an interface has an address: with the last one the kernel removes its routes.
     *
     * @param interfaceIndex of the interface.
     * @return false where none is known.
     */
    boolean hasAddress(final int interfaceIndex)
    {
        for (final KernelAddress address : addresses)
        {
            if (address.interfaceIndex() == interfaceIndex)
            {
                return true;
            }
        }
        return false;
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

    /**
     * A route leaves by an interface.
     *
     * @param interfaceIndex of its only next hop.
     */
    void addInterface(final int interfaceIndex)
    {
        usedInterfaces.add(interfaceIndex);
    }

    /**
     * A route with several next hops leaves by an interface, among others.
     *
     * @param interfaceIndex of one of them.
     */
    void addMultipathInterface(final int interfaceIndex)
    {
        usedInterfaces.add(interfaceIndex);
        multipathInterfaces.add(interfaceIndex);
    }

    /**
     * A route names the source address of what this host sends along it.
     *
     * @param address its RTA_PREFSRC.
     */
    void addSource(final int address)
    {
        sources.add(address);
    }

    /** The kernel passes a route over. */
    void addDead()
    {
        deadSeen = true;
    }

    /**
     * Whether routes leave by an interface: they go with its last address.
     *
     * @param interfaceIndex of the interface.
     * @return false where none does.
     */
    boolean isUsed(final int interfaceIndex)
    {
        return usedInterfaces.contains(interfaceIndex);
    }

    /**
     * Whether routes with several next hops leave by an interface: a next hop that the kernel passed over is used again
     * when the interface gets an address.
     *
     * @param interfaceIndex of the interface.
     * @return false where none does.
     */
    boolean isUsedByMultipath(final int interfaceIndex)
    {
        return multipathInterfaces.contains(interfaceIndex);
    }

    /**
     * Whether routes name a source address: they go with it.
     *
     * @param address of this host.
     * @return false where none does.
     */
    boolean isSource(final int address)
    {
        return sources.contains(address);
    }

    /**
     * Whether the kernel passes a route over, so that another one for its prefix counts.
     *
     * @return true where one was seen since {@link #clear()}.
     */
    boolean hasDead()
    {
        return deadSeen;
    }
}
