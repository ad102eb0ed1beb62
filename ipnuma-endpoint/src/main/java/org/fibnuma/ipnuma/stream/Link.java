package org.fibnuma.ipnuma.stream;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.ipnuma.client.ClientMessage;
import org.fibnuma.ipnuma.client.EndpointClient;
import org.fibnuma.ipnuma.wire.ScatterList;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;

/**
 * Stores of this program into the region of a program at a peer. Stores take effect in order. At most {@link #WINDOW}
 * of them are unanswered. A peer that does not answer therefore fills its own window and not the ring of requests,
 * which the stores to all peers share.
 */
final class Link
{
    /** Below the 224 datagrams that can wait for one peer, so that its session accepts all of them. */
    static final int WINDOW = 160;
    /** Number of stores of which one requests an answer. */
    private static final int ANSWERED_EACH = 16;

    /** A byte outside the heap. Stores from memory outside the heap need no intermediate copy. */
    private static final UnsafeBuffer ONE = new UnsafeBuffer(ByteBuffer.allocateDirect(1).put(0, (byte)1));

    private final EndpointClient client;
    private final int id;
    private final int peerId;
    private final int regionId;
    private final long key;
    private final StreamLayout layout;
    private final Set<StreamChannel> channels = new HashSet<>();
    private final Queue<Answer> answers = new ArrayDeque<>();
    private final ArrayDeque<StreamChannel> unpublished = new ArrayDeque<>();
    private final ArrayDeque<StreamChannel> waiting = new ArrayDeque<>();
    private boolean keySent;
    private boolean failed;
    private boolean queued;
    private boolean touched = true;
    private int underWay;
    private int unanswered;
    private int probes;

    Link(final EndpointClient client, final int id, final int peerId, final PortEntry program)
    {
        this.client = client;
        this.id = id;
        this.peerId = peerId;
        this.regionId = program.regionId();
        this.key = program.key();
        this.layout = program.layout();
    }

    int id()
    {
        return id;
    }

    int peerId()
    {
        return peerId;
    }

    int regionId()
    {
        return regionId;
    }

    StreamLayout layout()
    {
        return layout;
    }

    /** Returns whether this link leads to a program. */
    boolean isTo(final PortEntry program)
    {
        return program.key() == key && program.layout().equals(layout);
    }

    long target(final int offset)
    {
        return ClientMessage.target(peerId, regionId, offset);
    }

    /** Returns the current length in bytes of the longest store from memory outside the heap. */
    int longestStore()
    {
        return client.longestWrite(target(0));
    }

    /** Sends the key of the region, which precedes all requests. Returns false if this has to be called again. */
    boolean prepare()
    {
        touched = true;
        keySent = keySent || client.tryKey(peerId, regionId, key, id);
        return keySent;
    }

    /**
     * Stores bytes into the region.
     *
     * @param offset in the region.
     * @param source of the bytes.
     * @param index  of the first byte in the source.
     * @param length 1 to 1,024; of a source outside the heap 1 to {@link #longestStore}.
     * @return false if this has to be called again.
     */
    boolean store(final int offset, final DirectBuffer source, final int index, final int length)
    {
        return store(offset, source, index, length, 0);
    }

    private boolean store(
        final int offset, final DirectBuffer source, final int index, final int length, final int flags)
    {
        return underWay < WINDOW && store(offset, source, index, length, flags, unanswered + 1 >= ANSWERED_EACH);
    }

    private boolean store(
        final int offset,
        final DirectBuffer source,
        final int index,
        final int length,
        final int flags,
        final boolean answered)
    {
        if (failed || !prepare())
        {
            return false;
        }
        final boolean isSent = client.tryWrite(
            target(offset), source, index, length, ClientMessage.ORDERED | flags, correlation(answered));
        if (isSent)
        {
            onSent(answered);
        }
        return isSent;
    }

    private long correlation(final boolean answered)
    {
        return answered ? (long)id << Integer.SIZE | unanswered + 1 : 0;
    }

    private void onSent(final boolean answered)
    {
        underWay++;
        unanswered = answered ? 0 : unanswered + 1;
        probes += answered ? 1 : 0;
    }

    boolean canScatter()
    {
        return client.passesByMemory(target(0));
    }

    /**
     * Stores the pieces of a list, and sends everything stored so far. Returns false if the pieces have to be stored
     * one by one.
     */
    boolean scatter(final ScatterList list)
    {
        if (underWay >= WINDOW || failed || !prepare())
        {
            return false;
        }
        final boolean answered = unanswered + 1 >= ANSWERED_EACH;
        final boolean isSent = client.tryScatter(target(0), list, correlation(answered));
        if (isSent)
        {
            onSent(answered);
        }
        return isSent;
    }

    /** Marks a group of slots at the peer as ready, and sends everything stored so far. */
    boolean storeSummary(final int group)
    {
        return store(StreamLayout.summary(group), ONE, 0, 1, ClientMessage.THEN_FLUSH);
    }

    boolean storeReady(final int slot)
    {
        return store(layout.ready(slot), ONE, 0, 1);
    }

    /** Adds the ready bytes of a slot at the peer and of its group to a list. */
    void addMarks(final ScatterList list, final int slot)
    {
        list.add(layout.ready(slot), ONE, 0, 1);
        list.add(StreamLayout.summary(slot / StreamLayout.GROUP + 1), ONE, 0, 1);
    }

    /** Stores a byte with an answer, to find out whether the region exists. No effect while an answer is awaited. */
    void probe()
    {
        if (probes == 0)
        {
            store(StreamLayout.PROBE_OFFSET, ONE, 0, 1, 0, true);
        }
    }

    /** Processes the answer to a store and to the stores before it. */
    void onStored(final int count)
    {
        underWay -= count;
        probes--;
    }

    /** Queues an answer to a hello that has no channel. */
    void answer(final Answer answer)
    {
        answers.add(answer);
    }

    void publishLater(final StreamChannel channel)
    {
        unpublished.add(channel);
    }

    /** Queues a channel whose write found no room on this link. */
    void awaitRoom(final StreamChannel channel)
    {
        waiting.add(channel);
    }

    boolean hasWork()
    {
        return !answers.isEmpty() || !unpublished.isEmpty() || !waiting.isEmpty();
    }

    /** Sets whether the link is in the queue of links with work. Returns whether this has changed. */
    boolean queue(final boolean isQueued)
    {
        final boolean changed = queued != isQueued;
        queued = isQueued;
        return changed;
    }

    /** Sends the queued entries in order; returns the number of finished ones. */
    int send(final StreamEvents events)
    {
        int work = 0;
        while (!answers.isEmpty() && answers.peek().send(this))
        {
            answers.remove();
            work++;
        }
        for (int i = unpublished.size(); i > 0 && unpublished.peek().publishQueued(); i--)
        {
            unpublished.remove();
            work++;
        }
        if (unpublished.isEmpty() && underWay <= WINDOW / 2)
        {
            for (int i = waiting.size(); i > 0; i--)
            {
                final StreamChannel channel = waiting.remove();
                channel.onRoom();
                events.onReady(channel);
                work++;
            }
        }
        return work;
    }

    void add(final StreamChannel channel)
    {
        channels.add(channel);
    }

    void remove(final StreamChannel channel)
    {
        channels.remove(channel);
    }

    boolean isUnused()
    {
        return channels.isEmpty() && answers.isEmpty();
    }

    /** Returns whether nothing was stored or requested since the previous call. */
    boolean isIdle()
    {
        final boolean idle = !touched;
        touched = false;
        return idle;
    }

    boolean isFailed()
    {
        return failed;
    }

    /** Ends the link, which stores nothing from now on. Returns the channels that used it. */
    Collection<StreamChannel> fail()
    {
        failed = true;
        answers.clear();
        unpublished.clear();
        waiting.clear();
        return new ArrayList<>(channels);
    }

    /** Removes the key from the endpoint. The link is not used again. */
    void close()
    {
        failed = true;
        if (keySent)
        {
            client.tryKey(peerId, regionId, 0, id);
        }
    }
}
