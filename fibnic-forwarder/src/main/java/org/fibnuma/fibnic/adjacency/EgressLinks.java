package org.fibnuma.fibnic.adjacency;

import org.agrona.UnsafeApi;
import org.fibnuma.core.frame.InterfaceNumber;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The links of adjacencies that forward. A link is a combination of egress interface, MTU of each family and source MAC
 * address, stored once under a number. One writer, the control thread; workers read without locks the links that the
 * words of {@link AdjacencyTable#rewrite} refer to.
 * <p>
 * Hundreds of next hops have few links, so that a worker holds the link of a whole batch in registers.
 * <p>
 * A free number is reused only after all other free numbers were used, long after the last worker has read it.
 */
public final class EgressLinks
{
    /** Number of "not forwarded"; its longest packet is 0. */
    public static final int NONE = 0;

    /** Most links in use at once, and {@link #NONE}. Adjacencies by further links are forwarded as exceptions. */
    static final int CAPACITY = 1 << 13;

    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    private static final int MAC_BITS = 48;
    /** Bits of the first eight bytes of a frame, in machine order, that hold the destination MAC address. */
    private static final long DESTINATION_MASK = LITTLE_ENDIAN ? (1L << MAC_BITS) - 1 : -1L << Short.SIZE;
    private static final long LINK_MASK = 0xFFFF;
    /** The longest IP packet (IP_MAX_MTU, net/ip.h). */
    private static final int MAX_MTU = 0xFFFF;
    private static final int IPV4_MTU_SHIFT = Long.SIZE - Short.SIZE;

    /** No link, and a destination MAC address that no next hop has. */
    private static final long GROUP = DESTINATION_MASK;

    private static final long RECORDS_BASE = UnsafeApi.arrayBaseOffset(long[].class);
    private static final int RECORD_BYTES = 2 * Long.BYTES;
    private static final VarHandle TAGGED_PORTS;

    static
    {
        try
        {
            TAGGED_PORTS = MethodHandles.lookup().findVarHandle(EgressLinks.class, "taggedPorts", long.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    /**
     * Two numbers for each link. The first has the first two bytes of the source MAC address at their position in the
     * first eight bytes of a frame. Its other bits are the number of the interface. The second has the last four
     * bytes of the address in machine order, and above them the MTU of IPv6 and that of IPv4, 16 bits each.
     */
    private final long[] records = new long[2 * CAPACITY];
    private final Map<Link, Integer> numbers = new HashMap<>();
    private final Link[] links = new Link[CAPACITY];
    private final int[] uses = new int[CAPACITY];
    private int last = NONE;
    private long taggedPorts;

    EgressLinks()
    {
    }

    /**
     * Begins the use of the link of an adjacency; control thread.
     *
     * @return word with the destination MAC address at its position in the first eight bytes of a frame, and the number
     *         of the link in the other bits; 0 if the adjacency does not forward or no number is free; for a group a
     *         word of link {@link #NONE} for which {@link #isGroup} holds.
     */
    long acquire(final Adjacency adjacency)
    {
        if (adjacency.kind() != AdjacencyKind.FORWARD)
        {
            return adjacency.kind() == AdjacencyKind.GROUP ? GROUP : 0;
        }
        final Link link = new Link(
            adjacency.egressInterface(), adjacency.mtu(), adjacency.ipv6Mtu(), adjacency.sourceMac());
        final int number = numbers.computeIfAbsent(link, absent -> enter(absent, adjacency));
        if (number == NONE)
        {
            numbers.remove(link);
            return 0;
        }
        uses[number]++;
        final long inFrame = adjacency.macsHigh() & DESTINATION_MASK;
        return inFrame | (LITTLE_ENDIAN ? (long)number << MAC_BITS : number);
    }

    /** Ends the use of a link by a word of {@link #acquire}; control thread. */
    void release(final long word)
    {
        final int number = of(word);
        if (number != NONE && --uses[number] == 0)
        {
            numbers.remove(links[number]);
            links[number] = null;
        }
    }

    private int enter(final Link link, final Adjacency adjacency)
    {
        int number = last;
        for (int tried = 1; tried < CAPACITY; tried++)
        {
            number = number == CAPACITY - 1 ? 1 : number + 1;
            if (uses[number] == 0)
            {
                last = number;
                links[number] = link;
                write(number, adjacency);
                return number;
            }
        }
        return NONE;
    }

    private void write(final int number, final Adjacency adjacency)
    {
        final long egress = adjacency.egressInterface();
        if (InterfaceNumber.vlanOf(adjacency.egressInterface()) != 0)
        {
            TAGGED_PORTS.setRelease(this, taggedPorts | 1L << adjacency.egressPort());
        }
        records[2 * number] =
            adjacency.macsHigh() & ~DESTINATION_MASK | (LITTLE_ENDIAN ? egress : egress << Short.SIZE);
        records[2 * number + 1] =
            Integer.toUnsignedLong(adjacency.macsLow()) |
            (long)Math.min(MAX_MTU, adjacency.ipv6Mtu()) << Integer.SIZE |
            (long)Math.min(MAX_MTU, adjacency.mtu()) << IPV4_MTU_SHIFT;
    }

    /** Returns whether a word of {@link AdjacencyTable#rewrite} is that of a group. */
    public static boolean isGroup(final long word)
    {
        return word == GROUP;
    }

    /** Returns the number of the link in a word of {@link AdjacencyTable#rewrite}, 1 to 8,191, or {@link #NONE}. */
    public static int of(final long word)
    {
        return (int)(LITTLE_ENDIAN ? word >>> MAC_BITS : word & LINK_MASK);
    }

    /** Returns a word for {@link #macsHigh} with the first two bytes of the source MAC address of a link. */
    public long sourceHigh(final int link)
    {
        return record(link, 0);
    }

    /**
     * Returns bytes 0 to 7 of a frame that leaves by an adjacency, in machine order: the destination MAC address and
     * the first two bytes of the source MAC address.
     *
     * @param word       of {@link AdjacencyTable#rewrite}.
     * @param sourceHigh {@link #sourceHigh} of the link of the word.
     */
    public static long macsHigh(final long word, final long sourceHigh)
    {
        return word & DESTINATION_MASK | sourceHigh & ~DESTINATION_MASK;
    }

    /** Returns bytes 8 to 11 of a frame that leaves by a link, in machine order. */
    public int macsLow(final int link)
    {
        return (int)record(link, Long.BYTES);
    }

    /** Returns the longest IPv4 packet in bytes that a link takes; 0 of {@link #NONE}. */
    public int longestPacket(final int link)
    {
        return (int)(record(link, Long.BYTES) >>> IPV4_MTU_SHIFT);
    }

    /** Returns the longest IPv6 packet in bytes that a link takes; 0 of {@link #NONE}. */
    public int longestIpv6Packet(final int link)
    {
        return (int)(record(link, Long.BYTES) >>> Integer.SIZE) & MAX_MTU;
    }

    /** Returns the number of the interface of a link, see {@link InterfaceNumber}. */
    public int egressInterface(final int link)
    {
        final long record = record(link, 0) & DESTINATION_MASK;
        return (int)(LITTLE_ENDIAN ? record : record >>> Short.SIZE);
    }

    /**
     * Returns the ports by which any adjacency has forwarded with a VLAN tag, one bit for each port index; any thread.
     * A bit stays set, for frames that were rewritten for a link that is gone.
     */
    public long taggedPorts()
    {
        // A worker that has read a link sees the bit of its port.
        VarHandle.loadLoadFence();
        return (long)TAGGED_PORTS.getAcquire(this);
    }

    private long record(final int link, final int offset)
    {
        // A number comes from acquire() alone, so that it needs no bounds check.
        return UnsafeApi.getLong(
            Objects.requireNonNull(records), RECORDS_BASE + (long)link * RECORD_BYTES + offset);
    }

    private record Link(int egressInterface, int mtu, int ipv6Mtu, long sourceMac)
    {
    }
}
