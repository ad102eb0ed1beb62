package org.fibnuma.ipnuma.stream;

import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.ipnuma.client.ClientMessage;
import org.fibnuma.ipnuma.wire.ScatterList;

import java.nio.ByteBuffer;

/**
 * The slot of a connection at the peer's program, into which this end stores: bytes into the ring, the status into the
 * header, and the marks that the peer polls.
 */
final class PeerSlot
{
    /** Maximum number of bytes that one call stores, so that connections to the same peer take turns. */
    private static final int MAX_WRITE = 32 * 1024;
    /** Maximum number of bytes of one store, so that the peer reads some while others are stored. */
    private static final int MAX_STORE = 4 * 1024;
    /** Maximum number of bytes in a list with the status. They are copied once more. */
    private static final int MAX_SCATTERED = 1024;
    /** Maximum number of buffers in such a list. */
    private static final int MAX_PIECES = 16;
    /** Longest such list in bytes, with the status and both marks. */
    static final int MAX_MESSAGE = MAX_SCATTERED + ScatterList.pieceLength(SlotHeader.STATUS_LENGTH) +
        (MAX_PIECES + 2) * ScatterList.pieceLength(1);
    private static final byte[] NOTHING = {};

    /** The next store of {@link #publish}. */
    private enum Step
    {
        STATUS, READY_MARK, SUMMARY_MARK
    }

    private final StreamAgent agent;
    private final Link link;
    private final int slot;
    private final int tag;
    private final ReceiveRing received;
    private final SendRing ring;
    /** The source of a store, during the store. */
    private final UnsafeBuffer data = new UnsafeBuffer(NOTHING);
    /** Whether the status has changed since it was stored. */
    private boolean dirty;
    private Step next = Step.STATUS;
    private boolean refused;

    /**
     * Creates the slot of a newly established connection.
     *
     * @param agent    whose buffers are used.
     * @param link     to the peer's program.
     * @param slot     number of the slot there.
     * @param tag      of the connection there.
     * @param received positions of this end's ring. The status contains the consumed position.
     */
    PeerSlot(final StreamAgent agent, final Link link, final int slot, final int tag, final ReceiveRing received)
    {
        this.agent = agent;
        this.link = link;
        this.slot = slot;
        this.tag = tag;
        this.received = received;
        this.ring = new SendRing(link.layout().ringCapacity());
    }

    /** Returns the free bytes of the peer's ring. */
    int room()
    {
        return ring.room();
    }

    /** Processes the number of bytes that the peer has read. Returns false if it is impossible. */
    boolean onConsumed(final long position)
    {
        return ring.onConsumed(position);
    }

    /**
     * Stores all bytes of buffers with the status and the marks as one list, if the bytes are few and the link accepts
     * lists.
     *
     * @param sources the buffers.
     * @param length  number of buffers.
     * @param ending  flags of {@link SlotHeader} of this end.
     * @return number of bytes, 0 if they have to be stored one after the other.
     */
    int scatter(final ByteBuffer[] sources, final int length, final int ending)
    {
        final int count = remaining(sources, length);
        if (count == 0 || count > ring.contiguous() || isUnpublished() || !link.canScatter())
        {
            return 0;
        }
        final ScatterList list = agent.message();
        list.clear();
        int offset = link.layout().ring(slot) + ring.index();
        for (int i = 0; i < length; i++)
        {
            if (sources[i].hasRemaining())
            {
                list.add(offset, sources[i]);
                offset += sources[i].remaining();
            }
        }
        list.add(link.layout().header(slot), status(ring.sent() + count, ending), 0, SlotHeader.STATUS_LENGTH);
        link.addMarks(list, slot);
        if (!link.scatter(list))
        {
            return 0;
        }
        for (int i = 0; i < length; i++)
        {
            sources[i].position(sources[i].limit());
        }
        ring.advance(count);
        received.onCredited();
        return count;
    }

    /** Returns the number of bytes in buffers, or 0 if they do not fit into one list. */
    private static int remaining(final ByteBuffer[] sources, final int length)
    {
        int count = 0;
        for (int i = 0; i < length && length <= MAX_PIECES && count <= MAX_SCATTERED; i++)
        {
            count += sources[i].remaining();
        }
        return count <= MAX_SCATTERED ? count : 0;
    }

    /**
     * Stores as many bytes of buffers as fit into the peer's ring, the link and one call. {@link #publish} makes them
     * visible to the peer. {@link #isRefused} returns whether the link had no room.
     *
     * @param sources the buffers.
     * @param length  number of buffers.
     * @return number of bytes.
     */
    int store(final ByteBuffer[] sources, final int length)
    {
        int count = 0;
        refused = false;
        for (int i = 0; i < length && (i == 0 || !sources[i - 1].hasRemaining()); i++)
        {
            count += store(sources[i], MAX_WRITE - count);
        }
        return count;
    }

    private int store(final ByteBuffer source, final int most)
    {
        int count = 0;
        data.wrap(source);
        final int longest =
            source.isDirect() ? Math.min(link.longestStore(), MAX_STORE) : ClientMessage.MAX_DATA_LENGTH;
        while (!refused && source.hasRemaining() && ring.room() > 0 && count < most)
        {
            final int part = Math.min(Math.min(source.remaining(), longest), ring.contiguous());
            final int position = source.position();
            refused = !link.store(link.layout().ring(slot) + ring.index(), data, position, part);
            if (!refused)
            {
                source.position(position + part);
                ring.advance(part);
                count += part;
            }
        }
        data.wrap(NOTHING);
        return count;
    }

    /** Returns whether the last {@link #store} found no room on the link. */
    boolean isRefused()
    {
        return refused;
    }

    /** Marks the status as changed. {@link #publish} stores it. */
    void touch()
    {
        dirty = true;
    }

    /** Returns whether a changed status or its marks have to be stored. */
    boolean isUnpublished()
    {
        return dirty || next != Step.STATUS;
    }

    /**
     * Stores a changed status and then the marks, or continues to do so.
     *
     * @param ending flags of {@link SlotHeader} of this end.
     * @return false if the link has no room and this has to be called again.
     */
    boolean publish(final int ending)
    {
        boolean stored = true;
        while (stored && isUnpublished())
        {
            switch (next)
            {
                case STATUS:
                    stored = storeStatus(ending);
                    dirty = !stored;
                    next = stored ? Step.READY_MARK : next;
                    break;
                case READY_MARK:
                    stored = link.storeReady(slot);
                    next = stored ? Step.SUMMARY_MARK : next;
                    break;
                default:
                    stored = link.storeSummary(slot / StreamLayout.GROUP + 1);
                    next = stored ? Step.STATUS : next;
                    break;
            }
        }
        return stored;
    }

    private boolean storeStatus(final int ending)
    {
        final boolean stored =
            link.store(link.layout().header(slot), status(ring.sent(), ending), 0, SlotHeader.STATUS_LENGTH);
        received.onCredited();
        return stored;
    }

    private UnsafeBuffer status(final long written, final int ending)
    {
        final UnsafeBuffer status = agent.status();
        status.putLong(SlotHeader.CONSUMED_OFFSET, SlotHeader.word(tag, received.consumed()));
        status.putLong(SlotHeader.WRITTEN_OFFSET, SlotHeader.word(tag, written));
        status.putLong(SlotHeader.ENDING_OFFSET, SlotHeader.word(tag, ending));
        return status;
    }
}
