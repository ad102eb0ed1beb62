package org.fibnuma.fibnic.adjacency;

import org.agrona.collections.Long2LongHashMap;
import org.fibnuma.core.frame.InterfaceNumber;
import org.fibnuma.core.wire.VlanTag;

import java.util.Map;

/**
 * The VLANs and macvlan interfaces of all ports at one time: maps VLAN tags and MAC addresses to interfaces. Immutable,
 * so that workers read it without locks. The map of a port is at most a quarter full, so that few probes show that it
 * does not contain a tag.
 */
public final class VlanTable
{
    /** The router and the kernel have no VLAN with these tags. */
    public static final int UNKNOWN = -1;
    /** The VLAN is one of the kernel, whose frames the router does not process. */
    public static final int KERNEL = -2;
    /** No port has a VLAN. */
    public static final VlanTable NONE = new VlanTable(Map.of());

    private static final int MIN_CAPACITY = 8;
    private static final float LOAD_FACTOR = 0.25f;
    private static final Long2LongHashMap EMPTY = new Long2LongHashMap(UNKNOWN);

    private final Long2LongHashMap[] numbersByPort;
    private final long ports;
    private final long portsWithMacvlans;

    /**
     * Creates a table of VLANs.
     *
     * @param vlans by index of the port, then by {@link VlanTag#identity} of the tags or
     *              {@link InterfaceNumber#macvlanIdentity}: number of the interface, or {@link #KERNEL}.
     */
    public VlanTable(final Map<Integer, ? extends Map<Long, Integer>> vlans)
    {
        final int portCount = vlans.keySet().stream().mapToInt(port -> port + 1).max().orElse(0);
        numbersByPort = new Long2LongHashMap[portCount];
        long mask = 0;
        long macvlans = 0;
        for (int port = 0; port < portCount; port++)
        {
            final Long2LongHashMap numbers = new Long2LongHashMap(MIN_CAPACITY, LOAD_FACTOR, UNKNOWN);
            if (vlans.containsKey(port))
            {
                for (final Map.Entry<Long, Integer> vlan : vlans.get(port).entrySet())
                {
                    final long identity = vlan.getKey();
                    numbers.put(identity, vlan.getValue().longValue());
                    macvlans |= InterfaceNumber.isMacvlanIdentity(identity) ? InterfaceNumber.portBit(port) : 0;
                }
            }
            numbersByPort[port] = numbers;
            mask |= numbers.isEmpty() ? 0 : 1L << port;
        }
        ports = mask;
        portsWithMacvlans = macvlans;
    }

    /** Returns whether a port has any VLAN or macvlan interface. */
    public boolean has(final int port)
    {
        return (ports >>> port & 1) != 0;
    }

    /** Returns whether a port has any macvlan interface, of its own or of one of its VLANs. */
    public boolean hasMacvlans(final int port)
    {
        return (portsWithMacvlans >>> port & 1) != 0;
    }

    /**
     * Returns the interface of frames to a MAC address that is not that of the interface that received them.
     *
     * @param number     of the interface of a port or VLAN.
     * @param macAddress in the format of {@link org.fibnuma.core.wire.MacAddress}.
     * @return number of the macvlan interface, {@link #UNKNOWN} or {@link #KERNEL}.
     */
    public int macvlan(final int number, final long macAddress)
    {
        return numberOf(InterfaceNumber.portOf(number), InterfaceNumber.macvlanIdentity(number, macAddress));
    }

    /**
     * Returns the interface of tagged frames that a port has received.
     *
     * @param tags one or two, with any PCP and DEI.
     * @return number of the interface, {@link #UNKNOWN} or {@link #KERNEL}.
     */
    public int number(final int port, final long tags)
    {
        return numberOf(port, VlanTag.identity(tags));
    }

    private int numberOf(final int port, final long identity)
    {
        return (int)(port < numbersByPort.length ? numbersByPort[port] : EMPTY).get(identity);
    }
}
