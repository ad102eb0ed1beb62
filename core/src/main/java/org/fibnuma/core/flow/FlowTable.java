package org.fibnuma.core.flow;

import org.agrona.UnsafeApi;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpProtocol;

import java.nio.ByteOrder;

import static org.fibnuma.core.flow.FlowTableLayout.BYTES_OFFSET;
import static org.fibnuma.core.flow.FlowTableLayout.DESTINATION_OFFSET;
import static org.fibnuma.core.flow.FlowTableLayout.DIRECTION_MASK;
import static org.fibnuma.core.flow.FlowTableLayout.ENTRIES;
import static org.fibnuma.core.flow.FlowTableLayout.ENTRIES_OFFSET;
import static org.fibnuma.core.flow.FlowTableLayout.FOLD_SHIFT;
import static org.fibnuma.core.flow.FlowTableLayout.HEADER_DELTA_OFFSET;
import static org.fibnuma.core.flow.FlowTableLayout.INTERFACE_MASK;
import static org.fibnuma.core.flow.FlowTableLayout.IPV6;
import static org.fibnuma.core.flow.FlowTableLayout.LINE_LENGTH;
import static org.fibnuma.core.flow.FlowTableLayout.MIX;
import static org.fibnuma.core.flow.FlowTableLayout.NAT;
import static org.fibnuma.core.flow.FlowTableLayout.OVERFLOWS_OFFSET;
import static org.fibnuma.core.flow.FlowTableLayout.PACKETS_OFFSET;
import static org.fibnuma.core.flow.FlowTableLayout.PORTS_OFFSET;
import static org.fibnuma.core.flow.FlowTableLayout.PROTOCOL_SHIFT;
import static org.fibnuma.core.flow.FlowTableLayout.SECOND_BUCKET_SHIFT;
import static org.fibnuma.core.flow.FlowTableLayout.SOURCE_OFFSET;
import static org.fibnuma.core.flow.FlowTableLayout.TAG_IN_HASH_SHIFT;
import static org.fibnuma.core.flow.FlowTableLayout.TAG_SHIFT;
import static org.fibnuma.core.flow.FlowTableLayout.TRANSLATION_OFFSET;
import static org.fibnuma.core.flow.FlowTableLayout.TRANSPORT_DELTA_OFFSET;
import static org.fibnuma.core.flow.FlowTableLayout.VALID;
import static org.fibnuma.core.flow.FlowTableLayout.WORD_OFFSET;

/**
 * Table of flows: connections of the kernel's conntrack whose packets the router forwards. A flow has two directions,
 * each with a line of its own: the tuple by which its packets are recognized, the interface that receives them, and
 * what address translation changes in them. The number of a direction is twice the number of its flow, plus 1 for the
 * reply.
 * <p>
 * One control thread adds and removes. Workers and XDP programs find directions without locks; workers also count.
 * A removed flow's number is used again only after {@link #release}, when no worker can hold it any more.
 */
public final class FlowTable
{
    /** No direction, no flow. */
    public static final int NONE = -1;
    /** Result of {@link #add}: the table, or both buckets of a tuple, have as many flows as they can have. */
    public static final int FULL = -2;
    /** Result of {@link #add}: another flow has the same tuple and interface in one direction. */
    public static final int AMBIGUOUS = -3;
    /** Most flows of a table. */
    public static final int MAX_CAPACITY = (DIRECTION_MASK >> 1) - 1;

    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    /** Buckets have eight entries for each bucket at full capacity, about half of what they hold. */
    private static final int FLOWS_PER_BUCKET = 4;
    private static final int MIN_BUCKET_BITS = 4;
    private static final int WORD_MASK = 0xFFFF;
    private static final long UNSIGNED = 0xFFFF_FFFFL;

    private final FlowMemory memory;
    private final long buckets;
    private final long lines;
    private final int bucketBits;
    private final int capacity;
    private final long secret;
    private final int[] free;
    private int freeCount;
    private int unused = 1;
    private int size;

    /**
     * Makes an empty table.
     *
     * @param memory   zeroed, made for the same capacity; closed by the caller.
     * @param capacity most flows, 1 to {@link #MAX_CAPACITY}.
     * @param secret   factor of the hash, made odd: a random number, so that nobody can choose colliding tuples.
     */
    public FlowTable(final FlowMemory memory, final int capacity, final long secret)
    {
        if (capacity < 1 || capacity > MAX_CAPACITY)
        {
            throw new IllegalArgumentException("capacity " + capacity + " is not 1 to " + MAX_CAPACITY);
        }
        this.memory = memory;
        this.buckets = memory.buckets();
        this.lines = memory.lines();
        this.capacity = capacity;
        this.bucketBits = bucketBits(capacity);
        this.secret = secret | 1;
        this.free = new int[capacity];
    }

    /** Returns the number of buckets of a table, a power of two. */
    public static int bucketCount(final int capacity)
    {
        return 1 << bucketBits(capacity);
    }

    /** Returns the number of lines of a table: two for each flow and two that are not used. */
    public static int lineCount(final int capacity)
    {
        return 2 * (capacity + 1);
    }

    private static int bucketBits(final int capacity)
    {
        final int needed = (capacity + FLOWS_PER_BUCKET - 1) / FLOWS_PER_BUCKET;
        return Math.max(MIN_BUCKET_BITS, Integer.SIZE - Integer.numberOfLeadingZeros(needed - 1));
    }

    /** Returns the memory that the table was made in. */
    public FlowMemory memory()
    {
        return memory;
    }

    /** Returns the binary logarithm of the number of buckets. */
    public int bucketBits()
    {
        return bucketBits;
    }

    /** Returns the secret factor of the hash, an odd number. */
    public long secret()
    {
        return secret;
    }

    /** Returns the number of flows; control thread. */
    public int size()
    {
        return size;
    }

    /** Returns the most flows that the table can have. */
    public int capacity()
    {
        return capacity;
    }

    /** Returns the bytes of memory of the table. */
    public long memoryBytes()
    {
        return (long)LINE_LENGTH * (bucketCount(capacity) + lineCount(capacity));
    }

    /**
     * Adds a flow; control thread. Its directions are found from now on. Tuples are those before translation.
     *
     * @param original     tuple of the packets that the initiator sends.
     * @param ingress      number of the interface that receives them.
     * @param egress       number of the only interface by which they may leave.
     * @param reply        tuple of the packets that the responder sends.
     * @param replyIngress number of the interface that receives them.
     * @param replyEgress  number of the only interface by which they may leave.
     * @return the number of the flow, {@link #FULL} or {@link #AMBIGUOUS}.
     */
    public int add(
        final FlowTuple original,
        final int ingress,
        final int egress,
        final FlowTuple reply,
        final int replyIngress,
        final int replyEgress)
    {
        if (freeCount == 0 && unused > capacity)
        {
            return FULL;
        }
        if (find(original, ingress) != NONE || find(reply, replyIngress) != NONE)
        {
            return AMBIGUOUS;
        }
        final int flow = freeCount > 0 ? free[freeCount - 1] : unused;
        final boolean isNat = !reply.equals(original.inverse());
        writeLine(2 * flow, original, reply, ingress, isNat, egress);
        writeLine(2 * flow + 1, reply, original, replyIngress, isNat, replyEgress);
        if (!link(2 * flow, hash(original)))
        {
            return FULL;
        }
        if (!link(2 * flow + 1, hash(reply)))
        {
            unlink(2 * flow, hash(original));
            return FULL;
        }
        validate(flow);
        if (freeCount > 0)
        {
            freeCount--;
        }
        else
        {
            unused++;
        }
        size++;
        return flow;
    }

    /**
     * Removes a flow; control thread. Its number stays in use until {@link #release}, but no worker finds it any more.
     */
    public void remove(final int flow)
    {
        invalidate(flow);
        unlink(2 * flow, hashOfLine(line(2 * flow)));
        unlink(2 * flow + 1, hashOfLine(line(2 * flow + 1)));
        size--;
    }

    /** Frees the number of a removed flow; control thread, when no worker can hold it any more. */
    public void release(final int flow)
    {
        free[freeCount] = flow;
        freeCount++;
    }

    /**
     * Removes all flows; control thread, while no worker uses the table and no program finds flows in it.
     */
    public void clear()
    {
        UnsafeApi.setMemory(buckets, (long)bucketCount(capacity) * LINE_LENGTH, (byte)0);
        for (int flow = 1; flow < unused; flow++)
        {
            invalidate(flow);
        }
        unused = 1;
        freeCount = 0;
        size = 0;
    }

    /** Returns a number above that of every flow; control thread. */
    public int end()
    {
        return unused;
    }

    /** After both lines are whole: a hint may lead to a line before its entry does, and translation reads both. */
    private void validate(final int flow)
    {
        for (int direction = 2 * flow; direction < 2 * flow + 2; direction++)
        {
            final long word = line(direction) + WORD_OFFSET;
            UnsafeApi.putIntRelease(null, word, UnsafeApi.getInt(word) | VALID);
        }
    }

    /** Makes the packets of a flow the kernel's: workers and XDP programs find it no more. Any thread. */
    public void invalidate(final int flow)
    {
        for (int direction = 2 * flow; direction < 2 * flow + 2; direction++)
        {
            final long word = line(direction) + WORD_OFFSET;
            UnsafeApi.putIntRelease(null, word, UnsafeApi.getInt(word) & ~VALID);
        }
    }

    /** Returns whether the packets of both directions of a flow are taken: it was not invalidated. Any thread. */
    public boolean isValid(final int flow)
    {
        return (UnsafeApi.getIntAcquire(null, line(2 * flow) + WORD_OFFSET) &
            UnsafeApi.getIntAcquire(null, line(2 * flow + 1) + WORD_OFFSET) & VALID) != 0;
    }

    /** Returns the number of the flow whose initiator sends packets with a tuple by any interface, or {@link #NONE}. */
    public int flowOf(final FlowTuple original)
    {
        final int direction = find(original, NONE);
        return direction == NONE ? NONE : direction >> 1;
    }

    /** Returns the number of packets of a direction that workers have forwarded. Any thread. */
    public long packets(final int direction)
    {
        return UnsafeApi.getLong(line(direction) + PACKETS_OFFSET);
    }

    /** Returns the bytes of the packets of {@link #packets}, from the network header on. */
    public long bytes(final int direction)
    {
        return UnsafeApi.getLong(line(direction) + BYTES_OFFSET);
    }

    /** Counts a forwarded packet of a direction; the worker that receives the packets of the direction. */
    public void count(final int direction, final int packetLength)
    {
        final long line = line(direction);
        UnsafeApi.putLong(line + PACKETS_OFFSET, UnsafeApi.getLong(line + PACKETS_OFFSET) + 1);
        UnsafeApi.putLong(line + BYTES_OFFSET, UnsafeApi.getLong(line + BYTES_OFFSET) + packetLength);
    }

    /** Returns the number of the interface that receives the packets of a direction. */
    public int ingress(final int direction)
    {
        return UnsafeApi.getInt(line(direction) + WORD_OFFSET) & INTERFACE_MASK;
    }

    /** Returns the tuple of the packets of a direction, before translation. Control thread; the number is in use. */
    public FlowTuple tuple(final int direction)
    {
        final long line = line(direction);
        final int word = UnsafeApi.getInt(line + WORD_OFFSET);
        final int protocol = word >>> PROTOCOL_SHIFT & 0xFF;
        final int sourcePort = shortBE(line + PORTS_OFFSET);
        final int destinationPort = shortBE(line + PORTS_OFFSET + Short.BYTES);
        return (word & IPV6) != 0 ?
            new FlowTuple(longBE(line), longBE(line + Long.BYTES), longBE(line + DESTINATION_OFFSET),
                longBE(line + DESTINATION_OFFSET + Long.BYTES), protocol, sourcePort, destinationPort) :
            new FlowTuple(0, IpAddress.mappedLow((int)(longBE(line) >>> Integer.SIZE)),
                0, IpAddress.mappedLow((int)longBE(line)), protocol, sourcePort, destinationPort);
    }

    /** Returns whether the addresses or ports of packets of a direction are translated. */
    public boolean isNat(final int direction)
    {
        return (UnsafeApi.getInt(line(direction) + TRANSLATION_OFFSET) & NAT) != 0;
    }

    /** Returns the number of the only interface that packets of a direction may leave by. */
    public int egress(final int direction)
    {
        return UnsafeApi.getInt(line(direction) + TRANSLATION_OFFSET) & INTERFACE_MASK;
    }

    /** Returns the native address of the line of a direction, for {@link FlowTranslation}. */
    long line(final int direction)
    {
        return lines + (long)direction * LINE_LENGTH;
    }

    /**
     * Finds the direction of an IPv4 packet; worker.
     *
     * @param header   native address of the IPv4 header.
     * @param ports    as in a line, see {@link FlowTableLayout#PORTS_OFFSET}.
     * @param protocol of the packet.
     * @param ingress  number of the interface that received it.
     * @param hint     of the XDP program: probably the direction, any number.
     * @return the direction, or {@link #NONE}.
     */
    public int findIpv4(
        final long header, final int ports, final int protocol, final int ingress, final int hint)
    {
        final long addresses = FrameMemory.getLong(header);
        final int word = VALID | protocol << PROTOCOL_SHIFT | ingress;
        if (isDirection(hint) && isIpv4(line(hint), addresses, ports, word))
        {
            return hint;
        }
        final long hash = hash(addresses, ports, protocol);
        final int tag = tag(hash);
        final long first = firstBucket(hash);
        int direction = findIpv4(first, tag, addresses, ports, word);
        if (direction == NONE && UnsafeApi.getInt(first + OVERFLOWS_OFFSET) != 0)
        {
            direction = findIpv4(secondBucket(hash), tag, addresses, ports, word);
        }
        return direction;
    }

    private int findIpv4(final long bucket, final int tag, final long addresses, final int ports, final int word)
    {
        for (int i = 0; i < ENTRIES; i++)
        {
            final int entry = UnsafeApi.getIntAcquire(null, bucket + ENTRIES_OFFSET + (long)i * Integer.BYTES);
            if (entry >>> TAG_SHIFT == tag && isIpv4(line(entry & DIRECTION_MASK), addresses, ports, word))
            {
                return entry & DIRECTION_MASK;
            }
        }
        return NONE;
    }

    private static boolean isIpv4(final long line, final long addresses, final int ports, final int word)
    {
        return UnsafeApi.getIntAcquire(null, line + WORD_OFFSET) == word &&
            UnsafeApi.getLong(line + SOURCE_OFFSET) == addresses && UnsafeApi.getInt(line + PORTS_OFFSET) == ports;
    }

    /**
     * Finds the direction of an IPv6 packet; worker.
     *
     * @param header native address of the source in the IPv6 header, before the destination.
     * @param ports  see {@link #findIpv4}, as the other parameters.
     */
    public int findIpv6(
        final long header, final int ports, final int protocol, final int ingress, final int hint)
    {
        final int word = VALID | IPV6 | protocol << PROTOCOL_SHIFT | ingress;
        if (isDirection(hint) && isIpv6(line(hint), header, ports, word))
        {
            return hint;
        }
        final long hash = hash(
            FrameMemory.getLong(header), FrameMemory.getLong(header + Long.BYTES),
            FrameMemory.getLong(header + DESTINATION_OFFSET),
            FrameMemory.getLong(header + DESTINATION_OFFSET + Long.BYTES), ports, protocol);
        final int tag = tag(hash);
        final long first = firstBucket(hash);
        int direction = findIpv6(first, tag, header, ports, word);
        if (direction == NONE && UnsafeApi.getInt(first + OVERFLOWS_OFFSET) != 0)
        {
            direction = findIpv6(secondBucket(hash), tag, header, ports, word);
        }
        return direction;
    }

    private int findIpv6(final long bucket, final int tag, final long header, final int ports, final int word)
    {
        for (int i = 0; i < ENTRIES; i++)
        {
            final int entry = UnsafeApi.getIntAcquire(null, bucket + ENTRIES_OFFSET + (long)i * Integer.BYTES);
            if (entry >>> TAG_SHIFT == tag && isIpv6(line(entry & DIRECTION_MASK), header, ports, word))
            {
                return entry & DIRECTION_MASK;
            }
        }
        return NONE;
    }

    private static boolean isIpv6(final long line, final long header, final int ports, final int word)
    {
        return UnsafeApi.getIntAcquire(null, line + WORD_OFFSET) == word &&
            UnsafeApi.getInt(line + PORTS_OFFSET) == ports &&
            UnsafeApi.getLong(line) == FrameMemory.getLong(header) &&
            UnsafeApi.getLong(line + Long.BYTES) == FrameMemory.getLong(header + Long.BYTES) &&
            UnsafeApi.getLong(line + DESTINATION_OFFSET) == FrameMemory.getLong(header + DESTINATION_OFFSET) &&
            UnsafeApi.getLong(line + DESTINATION_OFFSET + Long.BYTES) ==
                FrameMemory.getLong(header + DESTINATION_OFFSET + Long.BYTES);
    }

    /** Returns whether a number may be that of a direction: its line exists. */
    private boolean isDirection(final int number)
    {
        return number >= 2 && number < 2 * (capacity + 1);
    }

    /**
     * Finds a direction by its tuple and interface, valid or not; control thread. If the interface is {@link #NONE}, it
     * finds that of an initiator by any interface.
     */
    private int find(final FlowTuple tuple, final int ingress)
    {
        final long hash = hash(tuple);
        final long first = firstBucket(hash);
        final int direction = find(first, tuple, ingress, tag(hash));
        return direction == NONE && UnsafeApi.getInt(first + OVERFLOWS_OFFSET) != 0 ?
            find(secondBucket(hash), tuple, ingress, tag(hash)) : direction;
    }

    private int find(final long bucket, final FlowTuple tuple, final int ingress, final int tag)
    {
        for (int i = 0; i < ENTRIES; i++)
        {
            final int entry = UnsafeApi.getInt(bucket + ENTRIES_OFFSET + (long)i * Integer.BYTES);
            final int direction = entry & DIRECTION_MASK;
            final boolean isWanted = ingress == NONE ? (direction & 1) == 0 : ingress(direction) == ingress;
            if (entry != 0 && entry >>> TAG_SHIFT == tag && isWanted && tuple(direction).equals(tuple))
            {
                return direction;
            }
        }
        return NONE;
    }

    private boolean link(final int direction, final long hash)
    {
        final long first = firstBucket(hash);
        final int entry = tag(hash) << TAG_SHIFT | direction;
        if (put(first, 0, entry))
        {
            return true;
        }
        // Before the entry, so that a reader that misses the first bucket looks into the second.
        UnsafeApi.putIntRelease(null, first + OVERFLOWS_OFFSET, UnsafeApi.getInt(first + OVERFLOWS_OFFSET) + 1);
        if (put(secondBucket(hash), 0, entry))
        {
            return true;
        }
        UnsafeApi.putIntRelease(null, first + OVERFLOWS_OFFSET, UnsafeApi.getInt(first + OVERFLOWS_OFFSET) - 1);
        return false;
    }

    private void unlink(final int direction, final long hash)
    {
        final long first = firstBucket(hash);
        final int entry = tag(hash) << TAG_SHIFT | direction;
        if (!put(first, entry, 0))
        {
            put(secondBucket(hash), entry, 0);
            UnsafeApi.putIntRelease(null, first + OVERFLOWS_OFFSET, UnsafeApi.getInt(first + OVERFLOWS_OFFSET) - 1);
        }
    }

    private static boolean put(final long bucket, final int before, final int after)
    {
        for (int i = 0; i < ENTRIES; i++)
        {
            final long entry = bucket + ENTRIES_OFFSET + (long)i * Integer.BYTES;
            if (UnsafeApi.getInt(entry) == before)
            {
                UnsafeApi.putIntRelease(null, entry, after);
                return true;
            }
        }
        return false;
    }

    /** Writes all of a line except {@link FlowTableLayout#VALID}. */
    private void writeLine(
        final int direction,
        final FlowTuple key,
        final FlowTuple peer,
        final int ingress,
        final boolean isNat,
        final int egress)
    {
        final long line = line(direction);
        final boolean isIpv6 = key.isIpv6();
        if (isIpv6)
        {
            putLongBE(line + SOURCE_OFFSET, key.sourceHigh());
            putLongBE(line + SOURCE_OFFSET + Long.BYTES, key.sourceLow());
            putLongBE(line + DESTINATION_OFFSET, key.destinationHigh());
            putLongBE(line + DESTINATION_OFFSET + Long.BYTES, key.destinationLow());
        }
        else
        {
            putLongBE(line + SOURCE_OFFSET, key.sourceLow() << Integer.SIZE | key.destinationLow() & UNSIGNED);
            putLongBE(line + SOURCE_OFFSET + Long.BYTES, 0);
            putLongBE(line + DESTINATION_OFFSET, 0);
            putLongBE(line + DESTINATION_OFFSET + Long.BYTES, 0);
        }
        UnsafeApi.putInt(line + PORTS_OFFSET, ports(key));
        UnsafeApi.putInt(line + TRANSLATION_OFFSET, (isNat ? NAT : 0) | egress);
        final long addresses = change(key.sourceHigh(), peer.destinationHigh()) +
            change(key.sourceLow(), peer.destinationLow()) + change(key.destinationHigh(), peer.sourceHigh()) +
            change(key.destinationLow(), peer.sourceLow());
        UnsafeApi.putShort(line + HEADER_DELTA_OFFSET, machineOrder(addresses));
        UnsafeApi.putShort(line + TRANSPORT_DELTA_OFFSET, machineOrder(transport(key, peer, addresses)));
        UnsafeApi.putLong(line + PACKETS_OFFSET, 0);
        UnsafeApi.putLong(line + BYTES_OFFSET, 0);
        UnsafeApi.putInt(
            line + WORD_OFFSET, (isIpv6 ? IPV6 : 0) | key.protocol() << PROTOCOL_SHIFT | ingress);
    }

    /** The checksum of ICMP covers no addresses; type and code do not change. */
    private static long transport(final FlowTuple key, final FlowTuple peer, final long addresses)
    {
        return switch (key.protocol())
        {
            case IpProtocol.ICMP -> change(key.sourcePort(), peer.sourcePort());
            case IpProtocol.ICMPV6 -> addresses + change(key.sourcePort(), peer.sourcePort());
            default -> addresses + change(key.sourcePort(), peer.destinationPort()) +
                change(key.destinationPort(), peer.sourcePort());
        };
    }

    /** Returns the one's-complement sum of the words of a new number and of the inverted words of the old one. */
    private static long change(final long before, final long after)
    {
        long sum = 0;
        for (int shift = 0; shift < Long.SIZE; shift += Short.SIZE)
        {
            sum += (~before >>> shift & WORD_MASK) + (after >>> shift & WORD_MASK);
        }
        return sum;
    }

    private static short machineOrder(final long sum)
    {
        long folded = sum;
        while (folded >>> Short.SIZE != 0)
        {
            folded = (folded & WORD_MASK) + (folded >>> Short.SIZE);
        }
        return LITTLE_ENDIAN ? Short.reverseBytes((short)folded) : (short)folded;
    }

    private static int ports(final FlowTuple tuple)
    {
        final int networkOrder = tuple.sourcePort() << Short.SIZE | tuple.destinationPort();
        return LITTLE_ENDIAN ? Integer.reverseBytes(networkOrder) : networkOrder;
    }

    private long hash(final FlowTuple tuple)
    {
        return tuple.isIpv6() ?
            hash(asLoaded(tuple.sourceHigh()), asLoaded(tuple.sourceLow()), asLoaded(tuple.destinationHigh()),
                asLoaded(tuple.destinationLow()), ports(tuple), tuple.protocol()) :
            hash(asLoaded(tuple.sourceLow() << Integer.SIZE | tuple.destinationLow() & UNSIGNED), ports(tuple),
                tuple.protocol());
    }

    private long hashOfLine(final long line)
    {
        final int word = UnsafeApi.getInt(line + WORD_OFFSET);
        final int protocol = word >>> PROTOCOL_SHIFT & 0xFF;
        final int ports = UnsafeApi.getInt(line + PORTS_OFFSET);
        return (word & IPV6) != 0 ?
            hash(UnsafeApi.getLong(line), UnsafeApi.getLong(line + Long.BYTES),
                UnsafeApi.getLong(line + DESTINATION_OFFSET), UnsafeApi.getLong(line + DESTINATION_OFFSET + Long.BYTES),
                ports, protocol) :
            hash(UnsafeApi.getLong(line), ports, protocol);
    }

    private long hash(
        final long sourceHigh,
        final long sourceLow,
        final long destinationHigh,
        final long destinationLow,
        final int ports,
        final int protocol)
    {
        return hash(((sourceHigh * secret + sourceLow) * secret + destinationHigh) * secret + destinationLow, ports,
            protocol);
    }

    /** Hashes what an XDP program hashes in the same way: numbers as they are loaded from a packet. */
    private long hash(final long addresses, final int ports, final int protocol)
    {
        final long sum = addresses * secret + ((long)protocol << Integer.SIZE | ports & UNSIGNED);
        return (sum ^ sum >>> FOLD_SHIFT) * MIX;
    }

    private static int tag(final long hash)
    {
        return (int)(hash >>> TAG_IN_HASH_SHIFT) & 0xFF;
    }

    private long firstBucket(final long hash)
    {
        return buckets + (hash >>> Long.SIZE - bucketBits) * LINE_LENGTH;
    }

    private long secondBucket(final long hash)
    {
        return buckets + (hash >>> SECOND_BUCKET_SHIFT & (1L << bucketBits) - 1) * LINE_LENGTH;
    }

    private static long asLoaded(final long networkOrder)
    {
        return LITTLE_ENDIAN ? Long.reverseBytes(networkOrder) : networkOrder;
    }

    private static void putLongBE(final long address, final long value)
    {
        UnsafeApi.putLong(address, asLoaded(value));
    }

    private static long longBE(final long address)
    {
        return asLoaded(UnsafeApi.getLong(address));
    }

    private static int shortBE(final long address)
    {
        final short value = UnsafeApi.getShort(address);
        return (LITTLE_ENDIAN ? Short.reverseBytes(value) : value) & WORD_MASK;
    }
}
