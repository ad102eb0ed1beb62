package org.fibnuma.core.frame;

import org.agrona.UnsafeApi;
import org.fibnuma.core.memory.FrameBounds;
import org.fibnuma.core.memory.FrameMemory;

import java.util.Arrays;
import java.util.Objects;

/**
 * Up to {@link #CAPACITY} frames on their way through one worker, as a struct of arrays. A frame is the native
 * address of its first byte, whatever memory it lives in; its handle is what its pool wants back. Owned by one
 * worker thread.
 */
public final class FrameBatch
{
    /**
     * As many frames as are taken from a port at once: DPDK's usual 64 is where the cost of a port call is spread
     * thin while 64 headers still fit the first-level cache.
     */
    public static final int CAPACITY = 64;

    private static final int VARIOUS = -1;

    private static final int DISPOSITION_MASK = 0xFF;
    private static final int REASON_SHIFT = 8;

    // Columns of one array of each type, by index of their first element.
    private static final int INGRESS_PORT = CAPACITY;
    private static final int FATE = 2 * CAPACITY;
    private static final int ADJACENCY = 3 * CAPACITY;

    // The same by bytes from the start of the array. As an int, an index into the array would have to be computed anew
    // for every column, since to the JIT it might overflow.
    private static final long HANDLES = UnsafeApi.arrayBaseOffset(long[].class);
    private static final long ADDRESSES = HANDLES + (long)CAPACITY * Long.BYTES;
    private static final long LENGTHS = UnsafeApi.arrayBaseOffset(int[].class);
    private static final long INGRESS_PORTS = LENGTHS + (long)INGRESS_PORT * Integer.BYTES;
    private static final long FATES = LENGTHS + (long)FATE * Integer.BYTES;
    private static final long ADJACENCIES = LENGTHS + (long)ADJACENCY * Integer.BYTES;
    private static final long EGRESS_PORTS = ADJACENCIES + (long)CAPACITY * Integer.BYTES;

    private final long[] longs = new long[2 * CAPACITY];
    private final int[] ints = new int[5 * CAPACITY];
    private int size;
    private boolean allForward = true;
    /** What the whole column of ingress ports holds, used or not; {@link #VARIOUS} where it holds several. */
    private int ingressOfAll;
    private Object describer;

    /** Forgets all frames; whoever called has already passed each of them on. */
    public void clear()
    {
        // Behind the last frame every fate is FORWARD, so that to add a frame is not to write it.
        if (!allForward)
        {
            Arrays.fill(ints, FATE, FATE + size, Disposition.FORWARD);
            allForward = true;
        }
        size = 0;
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
            ints[INGRESS_PORT + i] = ingressPort;
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
        UnsafeApi.putLong(present(longs), HANDLES + (long)i * Long.BYTES, handle);
        UnsafeApi.putLong(present(longs), ADDRESSES + (long)i * Long.BYTES, address);
        UnsafeApi.putInt(present(ints), LENGTHS + (long)i * Integer.BYTES, length);
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
            Arrays.fill(ints, INGRESS_PORT + first, INGRESS_PORT + CAPACITY, ingressPort);
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
     * Sets the adjacencies of all frames.
     *
     * @param adjacencies by index of the frame, as many as there are frames or more.
     */
    public void adjacencies(final int[] adjacencies)
    {
        System.arraycopy(adjacencies, 0, ints, ADJACENCY, size);
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
     * Whether every frame is still on its way forward, so that nobody has to ask each of them.
     *
     * @return true until a stage gave one of them another fate.
     */
    public boolean isAllForward()
    {
        return allForward;
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
        allForward = false;
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
        allForward = false;
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

    // An array access costs a comparison with the array's length, and every stage makes a dozen a frame: 2 ns a packet.
    // With bounds checks on, the index is compared with the size, which is stricter.

    private long getLong(final long column, final int i)
    {
        checkIndex(i);
        return UnsafeApi.getLong(present(longs), column + (long)i * Long.BYTES);
    }

    private void putLong(final long column, final int i, final long value)
    {
        checkIndex(i);
        UnsafeApi.putLong(present(longs), column + (long)i * Long.BYTES, value);
    }

    private int getInt(final long column, final int i)
    {
        checkIndex(i);
        return UnsafeApi.getInt(present(ints), column + (long)i * Integer.BYTES);
    }

    private void putInt(final long column, final int i, final int value)
    {
        checkIndex(i);
        UnsafeApi.putInt(present(ints), column + (long)i * Integer.BYTES, value);
    }

    // To the JIT an access through a reference that may be null is one to any memory: it would order all others around
    // it and load every field again in each turn of a loop. With the check, which it moves out of loops, it is one to
    // an array: a loop over a batch takes two thirds of the time.

    private static long[] present(final long[] column)
    {
        return Objects.requireNonNull(column);
    }

    private static int[] present(final int[] column)
    {
        return Objects.requireNonNull(column);
    }

    private void checkIndex(final int i)
    {
        if (FrameMemory.BOUNDS_CHECKS)
        {
            Objects.checkIndex(i, size);
        }
    }
}
