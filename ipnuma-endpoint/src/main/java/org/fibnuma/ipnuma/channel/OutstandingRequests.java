package org.fibnuma.ipnuma.channel;

import org.agrona.CloseHelper;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.ipnuma.session.timing.DeadlineHeap;
import org.fibnuma.ipnuma.table.AccessStatus;
import org.fibnuma.ipnuma.wire.CompletionStatus;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Reads and atomics of a format without retransmission that wait for their answers. The low four bits of a tag on the
 * wire are a slot, the high four bits count its uses, so that a late answer does not match a newer request.
 */
final class OutstandingRequests
{
    /** Longest read in bytes; several completions may answer it. */
    static final int LONGEST_READ = 1024;
    static final boolean READ = false;
    static final boolean ATOMIC = true;

    private static final int SLOTS = 16;
    private static final int SLOT_MASK = SLOTS - 1;
    private static final int TAG_MASK = 0xFF;
    private static final int FREE = -1;
    /** The completion timeout of PCIe (section 2.8), far above the delay of a network. */
    private static final long TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final int pcId;
    private final ChannelListener listener;
    /** Null before the first request. */
    private MemoryRegion answers;
    private final int[] wireTags = new int[SLOTS];
    private final long[] tags = new long[SLOTS];
    private final int[] lengths = new int[SLOTS];
    private final int[] missing = new int[SLOTS];
    private final boolean[] isAtomic = new boolean[SLOTS];
    private final long[] sinceNs = new long[SLOTS];
    private int next;
    private int count;

    OutstandingRequests(final int pcId, final ChannelListener listener)
    {
        this.pcId = pcId;
        this.listener = listener;
        Arrays.fill(wireTags, FREE);
    }

    boolean hasRoom()
    {
        return wireTags[next & SLOT_MASK] == FREE;
    }

    /** Returns the tag of the next request, if {@link #hasRoom()}. */
    int nextTag()
    {
        return next & TAG_MASK;
    }

    /** The request with {@link #nextTag()} has left. */
    void begin(final long tag, final int length, final boolean atomic, final long nowNs)
    {
        if (answers == null)
        {
            answers = MemoryRegion.ofBytes(SLOTS * LONGEST_READ);
        }
        final int slot = next & SLOT_MASK;
        wireTags[slot] = next & TAG_MASK;
        tags[slot] = tag;
        lengths[slot] = length;
        missing[slot] = length;
        isAtomic[slot] = atomic;
        sinceNs[slot] = nowNs;
        next++;
        count++;
    }

    void onCompletion(
        final int wireTag, final int status, final int remaining, final long dataAddress, final int length)
    {
        final int slot = wireTag & SLOT_MASK;
        if (wireTags[slot] != wireTag)
        {
            return;
        }
        final long answer = answer(slot);
        if (status != CompletionStatus.SUCCESSFUL)
        {
            FrameMemory.zero(answer, lengths[slot]);
            end(slot, AccessStatus.NO_ACCESS);
        }
        else if (remaining == missing[slot] && length > 0 && length <= remaining)
        {
            FrameMemory.copy(dataAddress, answer + lengths[slot] - remaining, length);
            missing[slot] -= length;
            if (missing[slot] == 0)
            {
                end(slot, AccessStatus.OK);
            }
        }
    }

    /** Ends requests that have timed out; returns their number. */
    int poll(final long now)
    {
        int ended = 0;
        for (int slot = 0; count > 0 && slot < SLOTS; slot++)
        {
            if (wireTags[slot] != FREE && now - sinceNs[slot] >= TIMEOUT_NS)
            {
                free(slot);
                listener.onUnanswered(pcId, tags[slot]);
                ended++;
            }
        }
        return ended;
    }

    /** Returns when the oldest request times out, {@link DeadlineHeap#NEVER} if there is none. */
    long dueNs()
    {
        long dueNs = DeadlineHeap.NEVER;
        for (int slot = 0; count > 0 && slot < SLOTS; slot++)
        {
            if (wireTags[slot] != FREE)
            {
                dueNs = DeadlineHeap.earlier(dueNs, sinceNs[slot] + TIMEOUT_NS);
            }
        }
        return dueNs;
    }

    /** Ends all requests, which are reported as unanswered. */
    void abandon()
    {
        for (int slot = 0; slot < SLOTS; slot++)
        {
            if (wireTags[slot] != FREE)
            {
                free(slot);
                listener.onUnanswered(pcId, tags[slot]);
            }
        }
    }

    void close()
    {
        CloseHelper.close(answers);
    }

    private void end(final int slot, final int status)
    {
        free(slot);
        if (!isAtomic[slot])
        {
            listener.onRead(pcId, tags[slot], answer(slot), lengths[slot], status);
        }
        else if (lengths[slot] == Long.BYTES)
        {
            listener.onAtomic(pcId, tags[slot], FrameMemory.getLong(answer(slot)), status);
        }
        else
        {
            listener.onAtomic(pcId, tags[slot], FrameMemory.getInt(answer(slot)) & 0xFFFF_FFFFL, status);
        }
    }

    private void free(final int slot)
    {
        wireTags[slot] = FREE;
        count--;
    }

    private long answer(final int slot)
    {
        return answers.address() + (long)slot * LONGEST_READ;
    }
}
