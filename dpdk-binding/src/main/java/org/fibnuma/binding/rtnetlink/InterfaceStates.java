package org.fibnuma.binding.rtnetlink;

import org.agrona.collections.IntHashSet;
import org.agrona.collections.Long2LongHashMap;
import org.fibnuma.core.kernel.KernelAddress;

import java.util.HashSet;
import java.util.Set;

/**
 * The state of interfaces that the kernel's routes depend on: {@link LinkDecoder#routingState} and the addresses. Also
 * records which interfaces and source addresses are used by routes, except routes that the kernel itself makes for
 * addresses. When an address is added or removed, these show whether routes may change without a notification. Removed
 * routes stay recorded until the next list.
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

    /** Removes all records. */
    void clear()
    {
        states.clear();
        addresses.clear();
        usedInterfaces.clear();
        multipathInterfaces.clear();
        sources.clear();
        deadSeen = false;
    }

    /** Records a link's state. Returns whether the link was known and its state differs. */
    boolean changed(final int interfaceIndex, final long state)
    {
        final long before = states.put(interfaceIndex, state);
        return before != UNKNOWN && before != state;
    }

    /** Returns whether a link is known and has no carrier or is not up. */
    boolean isDown(final int interfaceIndex)
    {
        final long state = states.get(interfaceIndex);
        return state != UNKNOWN && !LinkDecoder.isUsable(state);
    }

    /** Removes a link. */
    void remove(final int interfaceIndex)
    {
        states.remove(interfaceIndex);
    }

    /** Records an address. Returns false where it was known: the kernel also notifies when a lease is prolonged. */
    boolean addAddress(final KernelAddress address)
    {
        return addresses.add(address);
    }

    /**
     * Returns whether an interface has an IPv4 address. With the last one the kernel removes the interface's IPv4
     * routes.
     */
    boolean hasAddress(final int interfaceIndex)
    {
        for (final KernelAddress address : addresses)
        {
            if (address.interfaceIndex() == interfaceIndex && address.address().isIpv4())
            {
                return true;
            }
        }
        return false;
    }

    /** Removes an address. Returns false where it was not known. */
    boolean removeAddress(final KernelAddress address)
    {
        return addresses.remove(address);
    }

    /** Records the interface of a route with one next hop. */
    void addInterface(final int interfaceIndex)
    {
        usedInterfaces.add(interfaceIndex);
    }

    /** Records an interface of a route with several next hops. */
    void addMultipathInterface(final int interfaceIndex)
    {
        usedInterfaces.add(interfaceIndex);
        multipathInterfaces.add(interfaceIndex);
    }

    /** Records the preferred source address of an IPv4 route, RTA_PREFSRC. */
    void addSource(final int address)
    {
        sources.add(address);
    }

    /** Records that the kernel does not use a route. */
    void addDead()
    {
        deadSeen = true;
    }

    /** Returns whether routes leave by an interface. The kernel removes IPv4 ones with its last IPv4 address. */
    boolean isUsed(final int interfaceIndex)
    {
        return usedInterfaces.contains(interfaceIndex);
    }

    /**
     * Returns whether routes with several next hops leave by an interface. When the interface gets an address, the
     * kernel uses its dead next hops again.
     */
    boolean isUsedByMultipath(final int interfaceIndex)
    {
        return multipathInterfaces.contains(interfaceIndex);
    }

    /** Returns whether IPv4 routes have a preferred source address. The kernel removes them with the address. */
    boolean isSource(final int address)
    {
        return sources.contains(address);
    }

    /** Returns whether the kernel does not use a route, so that another route of its prefix is in use. */
    boolean hasDead()
    {
        return deadSeen;
    }
}
