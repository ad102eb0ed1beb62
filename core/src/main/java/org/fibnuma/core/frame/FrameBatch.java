package org.fibnuma.core.frame;

import org.fibnuma.core.memory.FrameBounds;
import org.fibnuma.core.memory.FrameMemory;

import java.util.Objects;

/**
 * Up to {@link #CAPACITY} frames on their way through one worker, as a struct of arrays. A frame is the native
 * address of its first byte, whatever memory it lives in; its handle is what its pool wants back. Owned by one
 * worker thread.
 */
public final class FrameBatch extends FrameColumns
{
    /**
     * As many frames as are taken from a port at once: DPDK's usual 64 is where the cost of a port call is spread
     * thin while 64 headers still fit the first-level cache.
     */
    public static final int CAPACITY = 64;

    private static final int VARIOUS = -1;

    private static final int DISPOSITION_MASK = 0xFF;
    private static final int REASON_SHIFT = 8;

    /** Dispositions that frames were given, one bit each. */
    private int given;
    /** What the whole column of ingress ports holds, used or not; {@link #VARIOUS} where it holds several. */
    private int ingressOfAll;
    private long egressPorts;
    private Object describer;

    /** Forgets all frames; whoever called has already passed each of them on. */
    public void clear()
    {
        // Behind the last frame every fate is FORWARD, so that to add a frame is not to write it.
        if (given != 0)
        {
            fill(FATES, 0, size, Disposition.FORWARD);
            given = 0;
        }
        size = 0;
        egressPorts = 0;
        describer = null;
    }

    /**
     * How many frames there are.
     *
     * @return 0 to {@link #CAPACITY}.
     */
    public int size()
    {
        return size;
    }

    /**
     * How many more frames it takes.
     *
     * @return 0 to {@link #CAPACITY}.
     */
    public int room()
    {
        return CAPACITY - size;
    }

    /**
     * Adds a frame, on its way forward. The caller has made sure that there is {@link #room()}.
     *
     * @param handle      the chunk, for {@link FramePool#release}.
     * @param address     of the first byte of the Ethernet header.
     * @param length      in bytes, without FCS.
     * @param ingressPort index of the port that it came from.
     */
    public void add(final long handle, final long address, final int length, final int ingressPort)
    {
        final int i = size;
        if (i == CAPACITY)
        {
            throw new ArrayIndexOutOfBoundsException(i);
        }
        prepare(i, handle, address, length);
        if (ingressPort != ingressOfAll)
        {
            setInt(INGRESS_PORTS, i, ingressPort);
            ingressOfAll = VARIOUS;
        }
        size = i + 1;
        describer = null;
        if (FrameMemory.BOUNDS_CHECKS)
        {
            FrameBounds.frame(address, length);
        }
    }

    /**
     * Writes a frame behind those that there are, without making it one of them: {@link #extend} does that for many at
     * once. A loop of nothing else is much shorter than one of {@link #add}.
     *
     * @param i       where it goes: {@link #size()} for the first, below {@link #CAPACITY}, which nobody checks.
     * @param handle  the chunk.
     * @param address of the first byte of the Ethernet header.
     * @param length  in bytes, without FCS.
     */
    public void prepare(final int i, final long handle, final long address, final int length)
    {
        setLong(HANDLES, i, handle);
        setLong(ADDRESSES, i, address);
        setInt(LENGTHS, i, length);
    }

    /**
     * Adds frames that were prepared, on their way forward.
     *
     * @param count       how many, from the first behind those that there are; at most {@link #room()}.
     * @param ingressPort index of the port that all of them came from.
     */
    public void extend(final int count, final int ingressPort)
    {
        final int first = size;
        size = first + Objects.checkIndex(count, CAPACITY - first + 1);
        describer = null;
        if (ingressPort != ingressOfAll)
        {
            fill(INGRESS_PORTS, first, CAPACITY, ingressPort);
            ingressOfAll = first == 0 ? ingressPort : VARIOUS;
        }
        for (int i = first; FrameMemory.BOUNDS_CHECKS && i < size; i++)
        {
            FrameBounds.frame(address(i), length(i));
        }
    }

    /**
     * Says who keeps place and length of every frame in descriptors of his own, just as they are here. Forgotten with
     * the first change.
     *
     * @param describer need not write them when the frames come back to him.
     */
    public void describedBy(final Object describer)
    {
        this.describer = describer;
    }

    /** Who was given to {@link #describedBy(Object)}, or null after a change. */
    public Object describer()
    {
        return describer;
    }

    /**
     * An index at which a loop over frames may begin. Where the JIT does not know that an index is not below 0, it
     * computes an address anew for each column and frame: a loop from 0 does not need this.
     *
     * @param i 0 to {@link #CAPACITY}.
     * @return the same.
     */
    public static int index(final int i)
    {
        return Objects.checkIndex(i, CAPACITY + 1);
    }

    /**
     * Where a frame starts.
     *
     * @param i of the frame.
     * @return native address of its first byte.
     */
    public long address(final int i)
    {
        return getLong(ADDRESSES, i);
    }

    /**
     * What its pool wants back.
     *
     * @param i of the frame.
     * @return the handle.
     */
    public long handle(final int i)
    {
        return getLong(HANDLES, i);
    }

    /**
     * How long a frame is.
     *
     * @param i of the frame.
     * @return bytes, without FCS.
     */
    public int length(final int i)
    {
        return getInt(LENGTHS, i);
    }

    /**
     * Cuts a frame short, as for Ethernet padding; what is cut off cannot be read any more.
     *
     * @param i      of the frame.
     * @param length in bytes, at most what it was.
     */
    public void length(final int i, final int length)
    {
        putInt(LENGTHS, i, length);
        describer = null;
        if (FrameMemory.BOUNDS_CHECKS)
        {
            FrameBounds.frame(getLong(ADDRESSES, i), length);
        }
    }

    /**
     * Moves the start of a frame within its chunk, as for a tag that was taken out.
     *
     * @param i       of the frame.
     * @param address of the first byte of the Ethernet header.
     * @param length  in bytes from there.
     */
    public void restart(final int i, final long address, final int length)
    {
        putLong(ADDRESSES, i, address);
        length(i, length);
    }

    /**
     * Moves the handle, address and length of a frame to the position of an earlier frame that is no longer in use. The
     * other columns are not moved.
     *
     * @param from of the frame.
     * @param to   at most {@code from}; the frame that was there is forgotten.
     */
    public void move(final int from, final int to)
    {
        putLong(HANDLES, to, getLong(HANDLES, from));
        putLong(ADDRESSES, to, getLong(ADDRESSES, from));
        putInt(LENGTHS, to, getInt(LENGTHS, from));
    }

    /**
     * Where a frame came from.
     *
     * @param i of the frame.
     * @return index of the port.
     */
    public int ingressPort(final int i)
    {
        return getInt(INGRESS_PORTS, i);
    }

    /**
     * How long a frame's packet is by its own header, which is less than the frame's payload where Ethernet has padded
     * it.
     *
     * @param i of the frame.
     * @return bytes from the network header on; of no meaning before a stage has read it.
     */
    public int packetLength(final int i)
    {
        return getInt(PACKET_LENGTHS, i);
    }

    /**
     * Stores how long a frame's packet is.
     *
     * @param i            of the frame.
     * @param packetLength in bytes, from the network header on.
     */
    public void packetLength(final int i, final int packetLength)
    {
        putInt(PACKET_LENGTHS, i, packetLength);
    }

    /**
     * Where a frame's packet is to go.
     *
     * @param i of the frame.
     * @return IPv4 address as a number, {@code 10.0.0.1} as {@code 0x0A000001}; of no meaning before a stage has read
     *         it.
     */
    public int destination(final int i)
    {
        return getInt(DESTINATIONS, i);
    }

    /**
     * Stores where a frame's packet is to go, for the lookup.
     *
     * @param i           of the frame.
     * @param destination IPv4 address as a number.
     */
    public void destination(final int i, final int destination)
    {
        putInt(DESTINATIONS, i, destination);
    }

    /**
     * Which adjacency the lookup chose.
     *
     * @param i of the frame.
     * @return index in the adjacency table; of no meaning before the lookup.
     */
    public int adjacency(final int i)
    {
        return getInt(ADJACENCIES, i);
    }

    /**
     * Stores which adjacency the lookup chose.
     *
     * @param i         of the frame.
     * @param adjacency index in the adjacency table.
     */
    public void adjacency(final int i, final int adjacency)
    {
        putInt(ADJACENCIES, i, adjacency);
    }

    /**
     * Where a frame leaves.
     *
     * @param i of the frame.
     * @return index of the port; of no meaning before the rewrite.
     */
    public int egressPort(final int i)
    {
        return getInt(EGRESS_PORTS, i);
    }

    /**
     * Stores where a frame leaves, with the rewrite that was made for that port.
     *
     * @param i          of the frame.
     * @param egressPort index of the port.
     */
    public void egressPort(final int i, final int egressPort)
    {
        putInt(EGRESS_PORTS, i, egressPort);
    }

    /**
     * Returns the egress ports of the frames in the batch.
     *
     * @return one bit for each port index below 64, as passed to {@link #addEgressPorts}.
     */
    public long egressPorts()
    {
        return egressPorts;
    }

    /**
     * Records ports that {@link #egressPort(int, int)} was called with. A loop over frames collects them in a variable
     * and calls this once.
     *
     * @param ports one bit for each port index.
     */
    public void addEgressPorts(final long ports)
    {
        egressPorts |= ports;
    }

    /**
     * Returns whether all frames came from one port.
     *
     * @return true also for an empty batch.
     */
    public boolean isFromOnePort()
    {
        return ingressOfAll != VARIOUS;
    }

    /**
     * Whether every frame is still on its way forward, so that nobody has to ask each of them.
     *
     * @return true until a stage gave one of them another fate.
     */
    public boolean isAllForward()
    {
        return given == 0;
    }

    /**
     * Whether a stage that is for frames of one disposition has anything to do.
     *
     * @param disposition a constant of {@link Disposition} other than {@link Disposition#FORWARD}.
     * @return false while no frame was given it; a frame that was may have another by now.
     */
    public boolean has(final int disposition)
    {
        return (given & 1 << disposition) != 0;
    }

    /**
     * Whether a frame is still on its way forward.
     *
     * @param i of the frame.
     * @return true until a stage gave it another fate.
     */
    public boolean isForward(final int i)
    {
        return getInt(FATES, i) == Disposition.FORWARD;
    }

    /**
     * What is to become of a frame.
     *
     * @param i of the frame.
     * @return a constant of {@link Disposition}.
     */
    public int disposition(final int i)
    {
        return getInt(FATES, i) & DISPOSITION_MASK;
    }

    /**
     * Decides a frame's fate.
     *
     * @param i           of the frame.
     * @param disposition a constant of {@link Disposition} other than {@link Disposition#FORWARD} and
     *                    {@link Disposition#DROP}.
     */
    public void disposition(final int i, final int disposition)
    {
        putInt(FATES, i, disposition);
        given |= 1 << disposition;
    }

    /**
     * Drops a frame.
     *
     * @param i        of the frame.
     * @param reasonId id of the counted reason, 0 to 255.
     */
    public void drop(final int i, final int reasonId)
    {
        putInt(FATES, i, Disposition.DROP | reasonId << REASON_SHIFT);
        given |= 1 << Disposition.DROP;
    }

    /**
     * Why a dropped frame was dropped.
     *
     * @param i of the frame.
     * @return id of the reason.
     */
    public int dropReason(final int i)
    {
        return getInt(FATES, i) >>> REASON_SHIFT;
    }
}
