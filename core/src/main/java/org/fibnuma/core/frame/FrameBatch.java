package org.fibnuma.core.frame;

import org.fibnuma.core.memory.FrameBounds;
import org.fibnuma.core.memory.FrameMemory;

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

    private static final int DISPOSITION_MASK = 0xFF;
    private static final int REASON_SHIFT = 8;

    private final long[] addresses = new long[CAPACITY];
    private final long[] handles = new long[CAPACITY];
    private final int[] lengths = new int[CAPACITY];
    private final int[] ingressPorts = new int[CAPACITY];
    private final int[] fates = new int[CAPACITY];
    private final int[] adjacencies = new int[CAPACITY];
    private final int[] egressPorts = new int[CAPACITY];
    private int size;
    private boolean allForward = true;

    /** Forgets all frames; whoever called has already passed each of them on. */
    public void clear()
    {
        size = 0;
        allForward = true;
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
        final int i = size++;
        handles[i] = handle;
        addresses[i] = address;
        lengths[i] = length;
        ingressPorts[i] = ingressPort;
        fates[i] = Disposition.FORWARD;
        if (FrameMemory.BOUNDS_CHECKS)
        {
            FrameBounds.frame(address, length);
        }
    }

    /**
     * Where a frame starts.
     *
     * @param i of the frame.
     * @return native address of its first byte.
     */
    public long address(final int i)
    {
        return addresses[i];
    }

    /**
     * What its pool wants back.
     *
     * @param i of the frame.
     * @return the handle.
     */
    public long handle(final int i)
    {
        return handles[i];
    }

    /**
     * How long a frame is.
     *
     * @param i of the frame.
     * @return bytes, without FCS.
     */
    public int length(final int i)
    {
        return lengths[i];
    }

    /**
     * Cuts a frame short, as for Ethernet padding; what is cut off cannot be read any more.
     *
     * @param i      of the frame.
     * @param length in bytes, at most what it was.
     */
    public void length(final int i, final int length)
    {
        lengths[i] = length;
        if (FrameMemory.BOUNDS_CHECKS)
        {
            FrameBounds.frame(addresses[i], length);
        }
    }

    /**
     * Where a frame came from.
     *
     * @param i of the frame.
     * @return index of the port.
     */
    public int ingressPort(final int i)
    {
        return ingressPorts[i];
    }

    /**
     * Which adjacency the lookup chose.
     *
     * @param i of the frame.
     * @return index in the adjacency table; of no meaning before the lookup.
     */
    public int adjacency(final int i)
    {
        return adjacencies[i];
    }

    /**
     * Stores what the lookup found; nobody looks up twice.
     *
     * @param i         of the frame.
     * @param adjacency index in the adjacency table.
     */
    public void adjacency(final int i, final int adjacency)
    {
        adjacencies[i] = adjacency;
    }

    /**
     * Where a frame leaves.
     *
     * @param i of the frame.
     * @return index of the port; of no meaning before the rewrite.
     */
    public int egressPort(final int i)
    {
        return egressPorts[i];
    }

    /**
     * Stores where a frame leaves, with the rewrite that was made for that port.
     *
     * @param i          of the frame.
     * @param egressPort index of the port.
     */
    public void egressPort(final int i, final int egressPort)
    {
        egressPorts[i] = egressPort;
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
        return fates[i] == Disposition.FORWARD;
    }

    /**
     * What is to become of a frame.
     *
     * @param i of the frame.
     * @return a constant of {@link Disposition}.
     */
    public int disposition(final int i)
    {
        return fates[i] & DISPOSITION_MASK;
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
        fates[i] = disposition;
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
        fates[i] = Disposition.DROP | reasonId << REASON_SHIFT;
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
        return fates[i] >>> REASON_SHIFT;
    }
}
