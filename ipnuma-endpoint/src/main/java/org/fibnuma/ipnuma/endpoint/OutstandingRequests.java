package org.fibnuma.ipnuma.endpoint;

import org.agrona.CloseHelper;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.session.timing.DeadlineHeap;
import org.fibnuma.ipnuma.table.AccessStatus;
import org.fibnuma.ipnuma.wire.CompletionStatus;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Reads and atomics that wait for their answers, in a format without retransmission. The low four bits of a TLP tag are
 * a slot. The high four bits count its uses, so that a late answer does not match a newer request. A read across a
 * boundary of 4 KiB has two requests in adjacent slots. The bytes of both are gathered in the first slot.
 */
final class OutstandingRequests
{
    /** Longest read in bytes. Several completions may answer it. */
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
    /** Total length in bytes, by the first slot of a request. */
    private final int[] lengths = new int[SLOTS];
    /** Offset of the end of a slot's bytes in the answer. The next array has the number of missing bytes. */
    private final int[] ends = new int[SLOTS];
    private final int[] missing = new int[SLOTS];
    /** First and last slot of the request to which a slot belongs, equal for a request with one slot. */
    private final int[] firsts = new int[SLOTS];
    private final int[] lasts = new int[SLOTS];
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

    /** Returns whether this number of slots, 1 or 2, is free for a request. */
    boolean hasRoom(final int slots)
    {
        return wireTags[next & SLOT_MASK] == FREE && (slots == 1 || wireTags[next + 1 & SLOT_MASK] == FREE);
    }

    /** Returns the TLP tag of the next slot, if {@link #hasRoom}. */
    int nextTag()
    {
        return next & TAG_MASK;
    }

    /** Records that the request with {@link #nextTag()} was sent. */
    void begin(final long tag, final int length, final boolean atomic, final long nowNs)
    {
        final int slot = next & SLOT_MASK;
        occupy(slot, slot, 0, length, nowNs);
        tags[slot] = tag;
        lengths[slot] = length;
        isAtomic[slot] = atomic;
    }

    /** Records that the second request of a read was sent, directly after the first. */
    void beginSecond(final int length, final long nowNs)
    {
        final int first = next - 1 & SLOT_MASK;
        final int slot = next & SLOT_MASK;
        occupy(slot, first, lengths[first], length, nowNs);
        lengths[first] += length;
        lasts[first] = slot;
    }

    private void occupy(final int slot, final int first, final int before, final int length, final long nowNs)
    {
        if (answers == null)
        {
            answers = MemoryRegion.ofBytes(SLOTS * LONGEST_READ);
        }
        wireTags[slot] = next & TAG_MASK;
        ends[slot] = before + length;
        missing[slot] = length;
        firsts[slot] = first;
        lasts[slot] = slot;
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
        final int first = firsts[slot];
        final long answer = answer(first);
        if (status != CompletionStatus.SUCCESSFUL)
        {
            FrameMemory.zero(answer, lengths[first]);
            end(first, AccessStatus.NO_ACCESS);
        }
        else if (remaining == missing[slot] && length > 0 && length <= remaining)
        {
            FrameMemory.copy(dataAddress, answer + ends[slot] - remaining, length);
            missing[slot] -= length;
            if (missing[first] == 0 && missing[lasts[first]] == 0)
            {
                end(first, AccessStatus.OK);
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
                lose(slot);
                ended++;
            }
        }
        return ended;
    }

    /** Returns when the oldest request times out, or {@link DeadlineHeap#NEVER} if there is none. */
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

    /** Ends all requests and reports them as unanswered. */
    void abandon()
    {
        for (int slot = 0; slot < SLOTS; slot++)
        {
            if (wireTags[slot] != FREE)
            {
                lose(slot);
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

    private void lose(final int slot)
    {
        final int first = firsts[slot];
        free(first);
        listener.onUnanswered(pcId, tags[first]);
    }

    private void free(final int first)
    {
        final int last = lasts[first];
        if (last != first)
        {
            wireTags[last] = FREE;
            count--;
        }
        wireTags[first] = FREE;
        count--;
    }

    private long answer(final int slot)
    {
        return answers.address() + (long)slot * LONGEST_READ;
    }
}
