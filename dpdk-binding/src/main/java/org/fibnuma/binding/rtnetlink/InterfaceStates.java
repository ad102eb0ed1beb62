package org.fibnuma.binding.rtnetlink;

import org.agrona.collections.Int2IntCounterMap;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.IntHashSet;
import org.agrona.collections.Long2LongHashMap;
import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.wire.IpPrefix;

import java.util.HashSet;
import java.util.Set;

/**
 * The state of interfaces on which the kernel's routes depend: {@link LinkDecoder#routingState} and the addresses. Also
 * records the interfaces and source addresses of routes, except those of {@link OwnRoutes}. After a change of a link or
 * an address these show whether routes may change without a notification. Removed routes stay recorded until the next
 * list.
 */
final class InterfaceStates
{
    /** No {@link LinkDecoder#routingState}. */
    static final long UNKNOWN = -1;

    private final Long2LongHashMap states = new Long2LongHashMap(UNKNOWN);
    /** States in the order of the notifications, which a list is ahead of. */
    private final Long2LongHashMap notifiedStates = new Long2LongHashMap(UNKNOWN);
    private final Set<Address> addresses = new HashSet<>();
    /** Those that end when their interface goes down. */
    private final Int2ObjectHashMap<Set<KernelAddress>> endingAddresses = new Int2ObjectHashMap<>();
    private final IntHashSet usedInterfaces = new IntHashSet();
    private final IntHashSet ipv6Interfaces = new IntHashSet();
    private final IntHashSet multipathInterfaces = new IntHashSet();
    private final IntHashSet sources = new IntHashSet();
    private final Int2IntCounterMap ipv4Addresses = new Int2IntCounterMap(0);
    private boolean deadSeen;

    /** Removes all records, but not the states that the notifications have reached. */
    void clear()
    {
        states.clear();
        addresses.clear();
        endingAddresses.clear();
        ipv4Addresses.clear();
        usedInterfaces.clear();
        ipv6Interfaces.clear();
        multipathInterfaces.clear();
        sources.clear();
        deadSeen = false;
    }

    /** Called when pending notifications are discarded: the next list is where they continue. */
    void onDiscard()
    {
        notifiedStates.clear();
    }

    /** Records the state of a link in a list. */
    void onListed(final int interfaceIndex, final long state)
    {
        states.put(interfaceIndex, state);
        if (notifiedStates.get(interfaceIndex) == UNKNOWN)
        {
            notifiedStates.put(interfaceIndex, state);
        }
    }

    /**
     * Records the state of a link in a notification. Returns the state before this notification, which may be older
     * than that of the list; {@link #UNKNOWN} for a new link.
     */
    long onNotified(final int interfaceIndex, final long state)
    {
        states.put(interfaceIndex, state);
        return notifiedStates.put(interfaceIndex, state);
    }

    /** Returns whether a link is known and has no carrier or is not up. */
    boolean isDown(final int interfaceIndex)
    {
        final long state = states.get(interfaceIndex);
        return state != UNKNOWN && !LinkDecoder.isUsable(state);
    }

    void remove(final int interfaceIndex)
    {
        states.remove(interfaceIndex);
        notifiedStates.remove(interfaceIndex);
    }

    /**
     * Records an address. Returns false if it was known, because the kernel also notifies when a lease is prolonged.
     *
     * @param address of this host.
     * @param network as {@link AddressDecoder#network}.
     * @param ends    as {@link AddressDecoder#endsWhenDown}.
     */
    boolean addAddress(final KernelAddress address, final IpPrefix network, final boolean ends)
    {
        if (ends)
        {
            endingAddresses.computeIfAbsent(address.interfaceIndex(), index -> new HashSet<>()).add(address);
        }
        else
        {
            removeEnding(address);
        }
        final boolean isNew = addresses.add(Address.of(address, network));
        if (isNew && address.address().isIpv4())
        {
            ipv4Addresses.incrementAndGet(address.interfaceIndex());
        }
        return isNew;
    }

    /**
     * Returns whether an interface has an IPv4 address. With the last one the kernel removes the interface's IPv4
     * routes.
     */
    boolean hasAddress(final int interfaceIndex)
    {
        return ipv4Addresses.get(interfaceIndex) > 0;
    }

    /** Removes an address that has been recorded with this network. Returns false if it was unknown. */
    boolean removeAddress(final KernelAddress address, final IpPrefix network)
    {
        removeEnding(address);
        final boolean wasKnown = addresses.remove(Address.of(address, network));
        if (wasKnown && address.address().isIpv4())
        {
            ipv4Addresses.decrementAndGet(address.interfaceIndex());
        }
        return wasKnown;
    }

    /** Removes and returns the addresses of an interface that the host does not use while the interface is down. */
    Set<KernelAddress> takeDown(final int interfaceIndex)
    {
        final Set<KernelAddress> ending = endingAddresses.remove(interfaceIndex);
        if (ending == null)
        {
            return Set.of();
        }
        ending.forEach(address -> addresses.remove(Address.of(address, null)));
        return ending;
    }

    private void removeEnding(final KernelAddress address)
    {
        final Set<KernelAddress> ending = endingAddresses.get(address.interfaceIndex());
        if (ending != null && ending.remove(address) && ending.isEmpty())
        {
            endingAddresses.remove(address.interfaceIndex());
        }
    }

    /** Records the interface of an IPv6 route. */
    void addIpv6Interface(final int interfaceIndex)
    {
        ipv6Interfaces.add(interfaceIndex);
    }

    /**
     * Returns whether IPv6 routes have an egress interface. With net.ipv6.route.skip_notify_on_dev_down the kernel does
     * not notify of their removal.
     */
    boolean isUsedByIpv6(final int interfaceIndex)
    {
        return ipv6Interfaces.contains(interfaceIndex);
    }

    /** Records the interface of an IPv4 route with one next hop. */
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

    /** Returns whether routes have an egress interface. The kernel removes IPv4 ones with its last IPv4 address. */
    boolean isUsed(final int interfaceIndex)
    {
        return usedInterfaces.contains(interfaceIndex);
    }

    /**
     * Returns whether routes with several next hops have an egress interface. When an address is added to the
     * interface, the kernel uses its dead next hops again.
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

    /** Returns whether the kernel leaves a route unused, so that another route of its prefix is in use. */
    boolean hasDead()
    {
        return deadSeen;
    }

    /** What the kernel tells addresses apart by: several IPv4 addresses may differ only in their peers. */
    private record Address(KernelAddress address, IpPrefix network)
    {
        static Address of(final KernelAddress address, final IpPrefix network)
        {
            return new Address(address, address.address().isIpv4() ? network : null);
        }
    }
}
