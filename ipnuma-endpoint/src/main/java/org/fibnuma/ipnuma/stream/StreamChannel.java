package org.fibnuma.ipnuma.stream;

import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.ipnuma.client.EndpointLostException;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetConnectedException;

/**
 * One end of a connection: bytes in order, each once, in both directions. No method blocks. All methods are for the
 * thread of the {@link StreamAgent}. The owner closes the channel, also after a failure, to free its slot.
 */
public final class StreamChannel
{
    private enum Failure
    {
        CONNECT, TIMEOUT, LOST
    }

    private final StreamAgent agent;
    private final int slot;
    private final int tag;
    private final int header;
    private final IpnumaSocketAddress local;
    private final IpnumaSocketAddress remote;
    private final ReceiveRing received;
    private final ByteBuffer[] single = new ByteBuffer[1];
    /** Number of the attempt to connect, 0 for an accepted channel. */
    private long attempt;
    private Link link;
    private PeerSlot peer;
    private boolean connected;
    private boolean awaitsAnswer;
    private boolean closed;
    private boolean discards;
    private boolean hasStatus;
    private boolean linkLost;
    /** Flags of {@link SlotHeader} that this end has set. The next field has those of the peer. */
    private int ending;
    private int peerEnding;
    private long finalPosition = -1;
    private boolean queued;
    private boolean waitsForRoom;
    private Failure failure;
    private String reason;
    private Object attachment;

    StreamChannel(final StreamAgent agent, final int slot, final int tag, final IpnumaSocketAddress local,
        final IpnumaSocketAddress remote)
    {
        this.agent = agent;
        this.slot = slot;
        this.tag = tag;
        this.header = agent.layout().header(slot);
        this.local = local;
        this.remote = remote;
        this.received = new ReceiveRing(agent.layout().ringCapacity());
    }

    /** Returns the address of this end. The port of a connecting end is 49,152 or higher. */
    public IpnumaSocketAddress localAddress()
    {
        return local;
    }

    /** Returns the address of the other end. */
    public IpnumaSocketAddress remoteAddress()
    {
        return remote;
    }

    /** Sets an object of the owner, which {@link #attachment} returns. */
    public void attach(final Object object)
    {
        attachment = object;
    }

    /** Returns the object of the owner, or null if none was set. */
    public Object attachment()
    {
        return attachment;
    }

    /**
     * Returns whether the connection is established. The result stays true after the end of the connection.
     *
     * @throws IOException if it could not be established. {@link ConnectException}: no program listens, the peer cannot
     *                     be reached, or its backlog was full for 127 s. {@link SocketTimeoutException}: no answer in
     *                     time.
     */
    public boolean finishConnect() throws IOException
    {
        if (!connected || failure != Failure.LOST)
        {
            requireNoFailure();
        }
        return connected;
    }

    /** Returns the number of bytes that {@link #read} can return now. */
    public int available()
    {
        return closed || failure != null ? 0 : received.available();
    }

    /**
     * Reads bytes that have arrived.
     *
     * @param destination of at most its remaining bytes.
     * @return number of bytes, 0 if none has arrived, -1 after the last byte of a peer that has finished or closed.
     * @throws ClosedChannelException   after {@link #close}.
     * @throws NotYetConnectedException before the connection is established.
     * @throws IOException              if the connection was reset or the peer or the endpoint is lost.
     */
    public int read(final ByteBuffer destination) throws IOException
    {
        requireUsable();
        int count = 0;
        try
        {
            while (destination.hasRemaining() && received.available() > 0)
            {
                final int part = Math.min(destination.remaining(), received.contiguous());
                agent.memory().getBytes(agent.layout().ring(slot) + received.index(), destination, part);
                received.consume(part);
                count += part;
            }
        }
        catch (final InternalError fault)
        {
            agent.onFault(fault);
            requireNoFailure();
        }
        if (count > 0 && received.isCreditDue() && (ending & SlotHeader.DONE) == 0)
        {
            publish();
        }
        return count == 0 && received.available() == 0 && (peerEnding & SlotHeader.FINISHED) != 0 ? -1 : count;
    }

    /**
     * Writes bytes. When this returns, they are sent to the peer's ring or queued for it.
     *
     * @param source of at most its remaining bytes.
     * @return number of bytes written, 0 if the peer's ring or the link is full. {@link StreamEvents#onReady} is called
     *         once there is room.
     * @throws ClosedChannelException   after {@link #close} or {@link #finish}.
     * @throws NotYetConnectedException before the connection is established.
     * @throws IOException              if the connection was closed or reset by the peer, or the peer or the endpoint
     *                                  is lost.
     */
    public int write(final ByteBuffer source) throws IOException
    {
        single[0] = source;
        return write(single, 1);
    }

    /**
     * Writes bytes of several buffers in order, as {@link #write(ByteBuffer)} does. The status is stored once for all.
     *
     * @param sources of at most their remaining bytes.
     * @param length  number of buffers to write, from the first one on.
     * @return number of bytes written, 0 if there is no room.
     * @throws IOException as {@link #write(ByteBuffer)}.
     */
    public int write(final ByteBuffer[] sources, final int length) throws IOException
    {
        requireWritable();
        int count = 0;
        try
        {
            count = peer.scatter(sources, length, ending);
            if (count > 0)
            {
                return count;
            }
            count = peer.store(sources, length);
        }
        catch (final EndpointLostException ex)
        {
            agent.onEndpointLost(ex);
            requireNoFailure();
        }
        catch (final InternalError fault)
        {
            agent.onFault(fault);
            requireNoFailure();
        }
        if (peer.isRefused() && !waitsForRoom)
        {
            waitsForRoom = true;
            link.awaitRoom(this);
            agent.queue(link);
        }
        if (count > 0)
        {
            publish();
        }
        return count;
    }

    private void requireWritable() throws IOException
    {
        requireUsable();
        if ((peerEnding & SlotHeader.DONE) != 0)
        {
            throw new IOException(remote + " has closed the connection");
        }
        if ((ending & SlotHeader.FINISHED) != 0)
        {
            throw new ClosedChannelException();
        }
    }

    /** Returns whether {@link #write} finds room in the peer's ring. */
    public boolean isWritable()
    {
        return connected && !closed && failure == null && peer.room() > 0 && !waitsForRoom;
    }

    /**
     * Ends this direction: the peer reads -1 after the last byte. The other direction stays open.
     *
     * @throws ClosedChannelException   after {@link #close}.
     * @throws NotYetConnectedException before the connection is established.
     * @throws IOException              if the connection was reset or is lost.
     */
    public void finish() throws IOException
    {
        requireUsable();
        end(SlotHeader.FINISHED);
    }

    /**
     * Closes this end, and frees its slot once the peer has confirmed this. The peer reads all bytes written before,
     * then -1; its writes fail. Bytes that have arrived and were not read are lost. Only the first call has an effect.
     */
    public void close()
    {
        close(SlotHeader.FINISHED | SlotHeader.DONE);
    }

    private void close(final int flags)
    {
        if (!closed)
        {
            closed = true;
            end(flags);
            agent.onChannelClosed(this);
        }
    }

    /** Closes this end at once. Reads and writes of the peer fail, and bytes that it has not read are lost. */
    public void reset()
    {
        close(SlotHeader.ALL_ENDINGS);
    }

    /**
     * Discards all bytes that have arrived and that will arrive, so that the peer's writes always find room. {@link
     * #read} returns 0, and -1 after the peer has finished.
     */
    public void discardInput()
    {
        discards = true;
        discard();
    }

    private void discard()
    {
        received.consume(received.available());
        if (connected && !closed && received.isCreditDue() && (ending & SlotHeader.DONE) == 0)
        {
            publish();
        }
    }

    private void end(final int flags)
    {
        if (connected && (ending | flags) != ending && (ending & SlotHeader.DONE) == 0)
        {
            ending |= flags;
            publish();
        }
    }

    private void requireUsable() throws IOException
    {
        if (closed)
        {
            throw new ClosedChannelException();
        }
        requireNoFailure();
        if (!connected)
        {
            throw new NotYetConnectedException();
        }
    }

    private void requireNoFailure() throws IOException
    {
        if (failure == Failure.CONNECT)
        {
            throw new ConnectException(reason);
        }
        if (failure == Failure.TIMEOUT)
        {
            throw new SocketTimeoutException(reason);
        }
        if (failure == Failure.LOST)
        {
            throw new IOException(reason);
        }
    }

    /** Stores the status at the peer, or queues it. */
    private void publish()
    {
        peer.touch();
        if (!queued && !linkLost)
        {
            try
            {
                queued = !peer.publish(ending);
            }
            catch (final EndpointLostException ex)
            {
                agent.onEndpointLost(ex);
            }
            catch (final InternalError fault)
            {
                agent.onFault(fault);
            }
            if (queued)
            {
                link.publishLater(this);
                agent.queue(link);
            }
        }
    }

    /** Continues to store a queued status. Returns whether the channel leaves the queue. */
    boolean publishQueued()
    {
        queued = !peer.publish(ending);
        if (!queued)
        {
            agent.releaseIfEnded(this);
        }
        return !queued;
    }

    /** Processes the stores of the peer in the header. Returns whether anything has changed. */
    boolean poll()
    {
        if (linkLost || awaitsAnswer && !readAnswer() || !connected)
        {
            return false;
        }
        final UnsafeBuffer memory = agent.memory();
        // The ending is read first. If it is set, the position that is read next is final.
        final long end = memory.getLongVolatile(header + SlotHeader.ENDING_OFFSET);
        final long written = memory.getLongVolatile(header + SlotHeader.WRITTEN_OFFSET);
        final long consumed = memory.getLongVolatile(header + SlotHeader.CONSUMED_OFFSET);
        if (end == 0 && !hasStatus)
        {
            return true;
        }
        hasStatus = true;
        final StreamCounter invalid = check(end, written, consumed);
        if (invalid != null && (ending & SlotHeader.RESET) == 0)
        {
            agent.count(invalid);
            fail(Failure.LOST, "connection to " + remote + " was reset: its peer has stored an impossible value (" +
                invalid.label() + ")");
            end(SlotHeader.ALL_ENDINGS);
        }
        if (discards)
        {
            discard();
        }
        readEnding(end);
        return true;
    }

    private StreamCounter check(final long end, final long written, final long consumed)
    {
        final long flags = SlotHeader.value(end);
        if (SlotHeader.tag(end) != tag || flags > SlotHeader.ALL_ENDINGS || (peerEnding & ~flags) != 0)
        {
            return StreamCounter.BAD_ENDING;
        }
        final boolean isFinal = finalPosition >= 0 && SlotHeader.value(written) != finalPosition;
        if (SlotHeader.tag(written) != tag || isFinal || !received.onWritten(SlotHeader.value(written)))
        {
            return StreamCounter.BAD_POSITION;
        }
        if (SlotHeader.tag(consumed) != tag || !peer.onConsumed(SlotHeader.value(consumed)))
        {
            return StreamCounter.BAD_CREDIT;
        }
        return null;
    }

    private void readEnding(final long end)
    {
        final int flags = (int)SlotHeader.value(end);
        if (SlotHeader.tag(end) != tag || SlotHeader.value(end) > SlotHeader.ALL_ENDINGS)
        {
            return;
        }
        peerEnding |= flags;
        if ((flags & SlotHeader.FINISHED) != 0 && finalPosition < 0)
        {
            finalPosition = received.received();
        }
        if ((flags & SlotHeader.RESET) != 0 && failure == null)
        {
            fail(Failure.LOST, "connection reset by " + remote);
        }
        if ((flags & SlotHeader.DONE) != 0)
        {
            // The peer reads nothing more, so nothing more is stored there.
            end(SlotHeader.FINISHED | SlotHeader.DONE);
        }
        agent.releaseIfEnded(this);
    }

    /** Processes the answer to the hello of this channel. Returns whether the connection is established. */
    private boolean readAnswer()
    {
        final long answer = agent.memory().getLongVolatile(header + SlotHeader.ANSWER_OFFSET);
        if (answer == 0)
        {
            return false;
        }
        awaitsAnswer = false;
        final long answerSlot = agent.memory().getLong(header + SlotHeader.ANSWER_SLOT_OFFSET);
        final long answerTag = agent.memory().getLong(header + SlotHeader.ANSWER_TAG_OFFSET);
        final int result = SlotHeader.tag(answer) == tag ? (int)Math.min(SlotHeader.value(answer), 0xFF) : 0;
        switch (result)
        {
            case SlotHeader.ACCEPTED:
                accepted(answerSlot, answerTag);
                break;
            case SlotHeader.NOT_LISTENING:
                refused("no program listens on " + remote);
                break;
            case SlotHeader.BACKLOG_FULL:
                onBacklogFull();
                break;
            case SlotHeader.NO_SLOT:
                refused("the program on " + remote + " has reached its limit of connections");
                break;
            default:
                agent.count(StreamCounter.BAD_ANSWER);
                refused(remote + " has stored an impossible answer");
                break;
        }
        return connected;
    }

    /** Connects again after a pause, unless the owner has closed the channel. */
    private void onBacklogFull()
    {
        agent.memory().putLongVolatile(header + SlotHeader.ANSWER_OFFSET, 0);
        if (closed || failure != null || !agent.connectLater(this))
        {
            refused(backlogFull());
        }
    }

    private String backlogFull()
    {
        return "the backlog of " + remote + " is full";
    }

    private void accepted(final long answerSlot, final long answerTag)
    {
        if (answerSlot < 0 || answerSlot >= link.layout().connections() ||
            answerTag < 1 || answerTag > SlotHeader.MAX_TAG)
        {
            agent.count(StreamCounter.BAD_ANSWER);
            refused(remote + " has stored an impossible answer");
            return;
        }
        connect(link, (int)answerSlot, (int)answerTag);
        agent.onConnected(this);
        if (closed || failure != null)
        {
            end(SlotHeader.ALL_ENDINGS);
        }
    }

    private void refused(final String why)
    {
        peerEnding |= SlotHeader.DONE;
        ending |= SlotHeader.DONE;
        onConnectFailed(why);
    }

    void awaitAnswer(final Link program)
    {
        link = program;
        link.add(this);
        awaitsAnswer = true;
    }

    /** Returns whether a hello was sent and is not answered. */
    boolean awaitsAnswer()
    {
        return awaitsAnswer;
    }

    void connect(final Link program, final int slotThere, final int tagThere)
    {
        link = program;
        link.add(this);
        peer = new PeerSlot(agent, link, slotThere, tagThere, received);
        connected = true;
    }

    void onConnectFailed(final String why)
    {
        fail(Failure.CONNECT, why);
        agent.onConnectEnded(this);
    }

    void onConnectTimeout(final boolean isBacklogFull)
    {
        fail(Failure.TIMEOUT, isBacklogFull ? backlogFull() : "no answer from " + remote);
        agent.onConnectEnded(this);
    }

    void onLost(final String why)
    {
        linkLost = true;
        fail(connected ? Failure.LOST : Failure.CONNECT, why);
        agent.onConnectEnded(this);
    }

    private void fail(final Failure kind, final String why)
    {
        if (failure == null)
        {
            failure = kind;
            reason = why;
        }
    }

    void onRoom()
    {
        waitsForRoom = false;
    }

    void attempt(final long id)
    {
        attempt = id;
    }

    long attempt()
    {
        return attempt;
    }

    int slot()
    {
        return slot;
    }

    int tag()
    {
        return tag;
    }

    Link link()
    {
        return link;
    }

    boolean isLinkLost()
    {
        return linkLost;
    }

    /** Returns whether neither the owner nor the peer uses the slot any more. */
    boolean isEnded()
    {
        final boolean isConfirmed = connected ?
            (ending & SlotHeader.DONE) != 0 && !peer.isUnpublished() && (peerEnding & SlotHeader.DONE) != 0 :
            !awaitsAnswer;
        return closed && (linkLost || isConfirmed);
    }

    @Override
    public String toString()
    {
        return local + " to " + remote;
    }
}
