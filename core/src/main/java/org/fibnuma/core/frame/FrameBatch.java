package org.fibnuma.core.frame;

import org.fibnuma.core.memory.FrameBounds;
import org.fibnuma.core.memory.FrameMemory;

import java.util.Objects;

/**
 * Up to {@link #CAPACITY} frames that pass through the stages of one worker, stored as a struct of arrays. A frame is
 * the native address of its first byte, in memory of any kind; its handle identifies its chunk to its pool. Owned by
 * one worker thread.
 * <p>
 * Parameters {@code i} and {@code from} are indices of frames, 0 to {@link #size()} - 1. Numbers of interfaces are
 * those of {@link InterfaceNumber}; that of an untagged port is the index of the port. Lengths are in bytes, without
 * FCS.
 */
public final class FrameBatch extends FrameColumns
{
    /**
     * Most frames received from a port at once. What a worker does once for a batch, such as calling drivers, costs
     * less a frame than with the 32 or 64 that are usual in DPDK. {@code bench forward} forwards 1.06 times as many
     * frames as with 64; with 256 it forwards 0.8 times as many.
     */
    public static final int CAPACITY = 128;

    private static final int VARIOUS = -1;
    private static final long UNKNOWN = -1;

    private static final int DISPOSITION_MASK = 0xFF;
    private static final int REASON_SHIFT = 8;

    /** Dispositions that were set since {@link #clear()}, one bit each. */
    private int given;
    /** The value of the whole column of ingress interfaces, used or not; {@link #VARIOUS} if it has several. */
    private int ingressOfAll;
    /** The value of the whole column of egress interfaces, used or not; {@link #VARIOUS} if it has several. */
    private int egressOfAll;
    private long egressPorts;
    private Object describer;
    private long descriptors;
    /** Sum of the lengths of all frames, or {@link #UNKNOWN} after a change. */
    private long bytes = UNKNOWN;

    /** Removes all frames. The caller has released them or passed them on. */
    public void clear()
    {
        // Beyond the last frame every disposition is FORWARD, so that adding a frame does not write it.
        if (given != 0)
        {
            fill(FATES, 0, size, Disposition.FORWARD);
            given = 0;
        }
        size = 0;
        egressPorts = 0;
        describer = null;
        bytes = UNKNOWN;
    }

    /** Returns the number of frames, 0 to {@link #CAPACITY}. */
    public int size()
    {
        return size;
    }

    /** Returns how many more frames can be added, 0 to {@link #CAPACITY}. */
    public int room()
    {
        return CAPACITY - size;
    }

    /**
     * Adds a frame with disposition FORWARD. The caller makes sure that there is {@link #room()}.
     *
     * @param handle  handle of the chunk, for {@link FramePool#release}.
     * @param address native address of the first byte of the Ethernet header.
     * @param length  length of the frame.
     * @param ingress number of the interface that received the frame.
     */
    public void add(final long handle, final long address, final int length, final int ingress)
    {
        final int i = size;
        if (i == CAPACITY)
        {
            throw new ArrayIndexOutOfBoundsException(i);
        }
        prepare(i, handle, address, length);
        if (ingress != ingressOfAll)
        {
            setInt(INGRESS, i, ingress);
            ingressOfAll = VARIOUS;
        }
        size = i + 1;
        describer = null;
        bytes = UNKNOWN;
        if (FrameMemory.BOUNDS_CHECKS)
        {
            FrameBounds.frame(address, length);
        }
    }

    /**
     * Writes a frame beyond the last one without adding it; {@link #extend} adds many prepared frames at once. A loop
     * of this method is much shorter than a loop of {@link #add}, whose other parameters it has.
     *
     * @param i index of the frame, from {@link #size()} to {@link #CAPACITY} - 1; not checked.
     */
    public void prepare(final int i, final long handle, final long address, final int length)
    {
        setLong(HANDLES, i, handle);
        setLong(ADDRESSES, i, address);
        setInt(LENGTHS, i, length);
    }

    /** Adds prepared frames, at most {@link #room()}, with disposition FORWARD. One interface received all of them. */
    public void extend(final int count, final int ingress)
    {
        final int first = size;
        size = first + Objects.checkIndex(count, CAPACITY - first + 1);
        describer = null;
        bytes = UNKNOWN;
        if (ingress != ingressOfAll)
        {
            fill(INGRESS, first, CAPACITY, ingress);
            ingressOfAll = first == 0 ? ingress : VARIOUS;
        }
        for (int i = first; FrameMemory.BOUNDS_CHECKS && i < size; i++)
        {
            FrameBounds.frame(address(i), length(i));
        }
    }

    /**
     * Records that the descriptors of a port match the address and length of every frame. Adding a frame or changing
     * its address or length ends this.
     *
     * @param describer   owner of the descriptors; it need not write them if the frames are passed back to it.
     * @param descriptors native address of an array with the address of the descriptor of each frame, 8 bytes each, in
     *                    the order of the frames. It is valid until the batch is cleared.
     */
    public void describedBy(final Object describer, final long descriptors)
    {
        this.describer = describer;
        this.descriptors = descriptors;
    }

    /** Returns the owner recorded by {@link #describedBy}, or null. */
    public Object describer()
    {
        return describer;
    }

    /**
     * Returns the native address of the array recorded by {@link #describedBy}; 0 after a frame was moved. It is
     * undefined if {@link #describer()} is null.
     */
    public long descriptors()
    {
        return descriptors;
    }

    /**
     * Returns an index from 0 to {@link #CAPACITY} unchanged after checking its range, to begin a loop over frames. If
     * the JIT does not know that an index is at least 0, it computes a new address for each column and frame. A loop
     * from 0 does not need this.
     */
    public static int index(final int i)
    {
        return Objects.checkIndex(i, CAPACITY + 1);
    }

    /** Returns the native address of the first byte of a frame. */
    public long address(final int i)
    {
        return getLong(ADDRESSES, i);
    }

    /** Returns the handle of the chunk of a frame. */
    public long handle(final int i)
    {
        return getLong(HANDLES, i);
    }

    /** Returns the length of a frame. */
    public int length(final int i)
    {
        return getInt(LENGTHS, i);
    }

    /** Shortens a frame, for example to remove Ethernet padding. The removed bytes must not be read. */
    public void length(final int i, final int length)
    {
        putInt(LENGTHS, i, length);
        describer = null;
        bytes = UNKNOWN;
        if (FrameMemory.BOUNDS_CHECKS)
        {
            FrameBounds.frame(getLong(ADDRESSES, i), length);
        }
    }

    /**
     * Moves the start of a frame within its chunk, for example to remove a VLAN tag. The native address is that of the
     * first byte of the Ethernet header.
     */
    public void restart(final int i, final long address, final int length)
    {
        putLong(ADDRESSES, i, address);
        length(i, length);
    }

    /**
     * Moves the handle, address and length of a frame to the position of an earlier frame that is no longer in use,
     * which is overwritten. The other columns are not moved. The positions may be equal.
     */
    public void move(final int from, final int to)
    {
        putLong(HANDLES, to, getLong(HANDLES, from));
        putLong(ADDRESSES, to, getLong(ADDRESSES, from));
        putInt(LENGTHS, to, getInt(LENGTHS, from));
        descriptors = 0;
    }

    /** Returns the index of the port that received a frame, whatever VLAN it belongs to. */
    public int ingressPort(final int i)
    {
        return InterfaceNumber.portOf(getInt(INGRESS, i));
    }

    /** Returns the number of the interface that received a frame, see {@link InterfaceNumber}. */
    public int ingressInterface(final int i)
    {
        return getInt(INGRESS, i);
    }

    /** Stores the ingress interface of a frame. Its VLAN tags were removed. */
    public void ingressInterface(final int i, final int ingress)
    {
        putInt(INGRESS, i, ingress);
        ingressOfAll = VARIOUS;
    }

    /** Stores one ingress interface for all frames. Their VLAN tags were removed. */
    public void ingressInterfaceOfAll(final int ingress)
    {
        if (ingress != ingressOfAll)
        {
            fill(INGRESS, 0, CAPACITY, ingress);
            ingressOfAll = ingress;
        }
    }

    /**
     * Returns the length of the packet in bytes, from the network header on, as its header states. It is less than the
     * payload of the frame if Ethernet has padded it. It is undefined before a stage has stored it.
     */
    public int packetLength(final int i)
    {
        return getInt(PACKET_LENGTHS, i);
    }

    /** Stores the length of the packet, from the network header on. */
    public void packetLength(final int i, final int packetLength)
    {
        putInt(PACKET_LENGTHS, i, packetLength);
    }

    /**
     * Returns the IPv4 destination address of a packet as a number, {@code 10.0.0.1} as {@code 0x0A000001}. It is
     * undefined before a stage has stored it.
     */
    public int destination(final int i)
    {
        return getInt(DESTINATIONS, i);
    }

    /** Stores the IPv4 destination address as a number, for the lookup. */
    public void destination(final int i, final int destination)
    {
        putInt(DESTINATIONS, i, destination);
    }

    /**
     * Returns the first eight bytes of the IPv6 destination address of a packet as a number. It is undefined before a
     * stage has stored it, and after {@link #destination(int, int)}, which uses the same cell.
     */
    public long destinationHigh(final int i)
    {
        return getLong(DESTINATIONS_HIGH, i);
    }

    /**
     * Returns the last eight bytes of the IPv6 destination address of a packet as a number. It is undefined before a
     * stage has stored it.
     */
    public long destinationLow(final int i)
    {
        return getLong(DESTINATIONS_LOW, i);
    }

    /**
     * Stores the first eight bytes of the IPv6 destination address for the lookup, in place of
     * {@link #destination(int)}: {@code 0x2001_0DB8_0000_0000L} for {@code 2001:db8::1}.
     */
    public void destinationHigh(final int i, final long destinationHigh)
    {
        putLong(DESTINATIONS_HIGH, i, destinationHigh);
    }

    /** Stores the last eight bytes of the IPv6 destination address for the lookup: 1 for {@code 2001:db8::1}. */
    public void destinationLow(final int i, final long destinationLow)
    {
        putLong(DESTINATIONS_LOW, i, destinationLow);
    }

    /**
     * Returns the value that {@link #findings(int, long)} has stored. It is undefined after
     * {@link #adjacency(int, int)}, which uses the same cell.
     */
    public long findings(final int i)
    {
        return getLong(FINDINGS, i);
    }

    /**
     * Stores a number that a stage has computed from a frame and reads again in a later loop. The stage defines its
     * meaning.
     */
    public void findings(final int i, final long findings)
    {
        putLong(FINDINGS, i, findings);
    }

    /** Returns the index of the adjacency that the lookup found; undefined before the lookup. */
    public int adjacency(final int i)
    {
        return getInt(ADJACENCIES, i);
    }

    /** Stores the result of the lookup, an index in the adjacency table. */
    public void adjacency(final int i, final int adjacency)
    {
        putInt(ADJACENCIES, i, adjacency);
    }

    /**
     * Returns the number that the port's XDP program has given with a frame: probably the direction of its flow, see
     * {@link org.fibnuma.core.flow.FlowTable}. It may be any number.
     */
    public int flowHint(final int i)
    {
        return getInt(FLOW_HINTS, i);
    }

    /** Stores the number of {@link #flowHint(int)}. */
    public void flowHint(final int i, final int hint)
    {
        putInt(FLOW_HINTS, i, hint);
    }

    /** Returns the index of the egress port; undefined before the rewrite. */
    public int egressPort(final int i)
    {
        return InterfaceNumber.portOf(getInt(EGRESS, i));
    }

    /** Returns the number of the egress interface, see {@link InterfaceNumber}; undefined before the rewrite. */
    public int egressInterface(final int i)
    {
        return getInt(EGRESS, i);
    }

    /** Stores the egress interface, for which the frame was rewritten. */
    public void egressInterface(final int i, final int egress)
    {
        putInt(EGRESS, i, egress);
        egressOfAll = VARIOUS;
    }

    /**
     * Stores one egress interface for all frames. Nothing is written if every cell of the column has this interface
     * already, as a result of earlier batches.
     */
    public void egressInterfaceOfAll(final int egress)
    {
        if (egress != egressOfAll)
        {
            fill(EGRESS, 0, CAPACITY, egress);
            egressOfAll = egress;
        }
    }

    /**
     * Stores one egress interface for the first frames of a list. Nothing is written if every cell of the column has
     * this interface already. The whole column is written if {@link #egressPorts()} is 0: no frame has an egress
     * interface yet.
     *
     * @param frames indices of frames.
     * @param count  number of these, from the first of the list on.
     * @param egress number of the interface.
     */
    public void egressInterfaceOfFirst(final FrameList frames, final int count, final int egress)
    {
        if (egressPorts == 0)
        {
            egressInterfaceOfAll(egress);
        }
        else if (egress != egressOfAll)
        {
            for (int k = 0; k < count; k++)
            {
                egressInterface(frames.get(k), egress);
            }
        }
    }

    /**
     * Returns the ports passed to {@link #addEgressPorts} since {@link #clear()}, one bit for each port index below 64.
     */
    public long egressPorts()
    {
        return egressPorts;
    }

    /**
     * Records, one bit for each port index, the ports of interfaces that {@link #egressInterface(int, int)},
     * {@link #egressInterfaceOfAll} or {@link #egressInterfaceOfFirst} has stored. A loop over frames collects the bits
     * in a variable and calls this method once.
     */
    public void addEgressPorts(final long ports)
    {
        egressPorts |= ports;
    }

    /** Returns the sum of the lengths of all frames. */
    public long bytes()
    {
        if (bytes == UNKNOWN)
        {
            bytes = bytes(0, size);
        }
        return bytes;
    }

    /** Returns the sum of the lengths of the frames from an index to another one, which is excluded. */
    public long bytes(final int from, final int to)
    {
        long sum = 0;
        for (int i = index(from); i < to; i++)
        {
            sum += length(i);
        }
        return sum;
    }

    /**
     * Stores the sum of the lengths of all frames, for a caller that has read every length anyway. {@link #bytes()}
     * returns it until a frame is added or its length changes.
     */
    public void bytes(final long bytes)
    {
        this.bytes = bytes;
    }

    /** Returns whether one interface received all frames; true also for an empty batch. */
    public boolean isFromOneInterface()
    {
        return ingressOfAll != VARIOUS;
    }

    /** Returns whether no other disposition than FORWARD was set since {@link #clear()}. */
    public boolean isAllForward()
    {
        return given == 0;
    }

    /**
     * Returns whether a disposition other than FORWARD was set since {@link #clear()}. A frame that had it may have
     * another one now; if false, a stage for this disposition has nothing to do.
     */
    public boolean has(final int disposition)
    {
        return (given & 1 << disposition) != 0;
    }

    /** Returns whether the disposition of a frame is {@link Disposition#FORWARD}. */
    public boolean isForward(final int i)
    {
        return getInt(FATES, i) == Disposition.FORWARD;
    }

    /** Returns whether a rewritten frame is to be sent, whole or in fragments: FORWARD or FRAGMENT. */
    public boolean isToBeSent(final int i)
    {
        final int fate = getInt(FATES, i);
        return fate == Disposition.FORWARD || fate == Disposition.FRAGMENT;
    }

    /** Returns the disposition of a frame, a constant of {@link Disposition}. */
    public int disposition(final int i)
    {
        return getInt(FATES, i) & DISPOSITION_MASK;
    }

    /** Sets the disposition of a frame: a constant of {@link Disposition}, but not FORWARD or DROP. */
    public void disposition(final int i, final int disposition)
    {
        putInt(FATES, i, disposition);
        given |= 1 << disposition;
    }

    /** Sets the disposition of a frame to DROP, with the id of the counted drop reason, 0 to 255. */
    public void drop(final int i, final int reasonId)
    {
        putInt(FATES, i, Disposition.DROP | reasonId << REASON_SHIFT);
        given |= 1 << Disposition.DROP;
    }

    /** Returns the id of the drop reason of a frame whose disposition is DROP. */
    public int dropReason(final int i)
    {
        return getInt(FATES, i) >>> REASON_SHIFT;
    }
}
