package org.fibnuma.ipnuma.client;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.fibnuma.core.UserException;
import org.fibnuma.core.counter.CountersFile;
import org.fibnuma.core.memory.FrameBounds;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.ipnuma.memory.RegionMapping;
import org.fibnuma.ipnuma.wire.ScatterList;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/**
 * An application's connection to the endpoint of its machine. One thread sends, and the same or another thread polls. A
 * thread of the client writes its heartbeat. Sending neither allocates nor makes a system call.
 * <p>
 * A method {@code try...} returns whether the request was accepted. If not, the ring is full, the call has no effect,
 * and the caller tries again later. With an endpoint on this thread, {@link #poll()} makes room, and the channel of the
 * peer accepts or rejects a write from memory outside the heap ({@link org.fibnuma.ipnuma.channel.PeerChannel}).
 * <p>
 * If the connection with a peer is lost, no request reaches the peer that was sent before {@link AnswerListener#onPeer}
 * reports the loss. Writes without a correlation and doorbells are reported as errors. All other requests are answered
 * as unanswered or not sent. Later requests use the next connection. A client that never polls sends nothing to a peer
 * after its first loss.
 * <p>
 * Every method throws {@link EndpointLostException} after the endpoint has ended, has sent no heartbeat within its
 * timeout, or has disconnected this client.
 */
public final class EndpointClient implements AutoCloseable
{
    private static final int BEATS_A_TIMEOUT = 8;
    private static final int PEERS = 1 << 16;
    /**
     * Maximum interval of heartbeats. The end of the endpoint is detected within this time, independent of the timeout.
     */
    private static final long MAX_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ClientFile file;
    private final AtomicBuffer buffer;
    private final int slot;
    /** Generation of the connection with each peer, by PC ID. */
    private final AtomicIntegerArray generations = new AtomicIntegerArray(PEERS);
    private final RingBuffer sends;
    private final AtomicBuffer sendMemory;
    private final AnswerReader answers;
    private final Thread heart;
    /** Null unless the endpoint runs on this client's thread. */
    private final CompanionEndpoint endpoint;
    /** Null unless writes can be executed on this thread. */
    private final CompanionWrites direct;
    private volatile String lost;
    private volatile boolean closed;
    private long correlations;

    private EndpointClient(
        final ClientFile file, final int slot, final AnswerListener listener, final CompanionEndpoint endpoint)
    {
        this.file = file;
        this.endpoint = endpoint;
        this.buffer = file.buffer();
        this.slot = slot;
        this.direct = endpoint == null ? null : endpoint.writes(slot);
        this.sendMemory = ring(ClientLayout.SEND_RING_OFFSET);
        this.sends = new OneToOneRingBuffer(sendMemory);
        this.answers = new AnswerReader(
            new OneToOneRingBuffer(ring(ClientLayout.ANSWER_RING_OFFSET)), listener, generations);
        this.heart = new Thread(this::beat, "endpoint-client");
        heart.setDaemon(true);
    }

    private AtomicBuffer ring(final int offsetField)
    {
        return new UnsafeBuffer(buffer, slot + buffer.getInt(offsetField),
            ClientLayout.ringLength(buffer.getInt(ClientLayout.RING_CAPACITY_OFFSET)));
    }

    /**
     * Connects to an endpoint by its name.
     *
     * @param name     of the endpoint in its configuration.
     * @param listener of answers.
     * @return the connection, which the caller closes.
     * @throws UserException with the reason in one line.
     */
    public static EndpointClient connect(final String name, final AnswerListener listener)
    {
        return connect(CountersFile.directoryOf(name), listener);
    }

    /**
     * Connects to an endpoint by its directory.
     *
     * @param endpointDirectory usually {@code /dev/shm/fibnuma-NAME}.
     * @param listener          of answers.
     * @return the connection, which the caller closes.
     * @throws UserException with the reason in one line.
     */
    public static EndpointClient connect(final Path endpointDirectory, final AnswerListener listener)
    {
        return connect(endpointDirectory, listener, null);
    }

    /**
     * Connects to an endpoint of this process, which the client's thread runs. A request is executed, and an answer
     * arrives, within one {@link #poll()}. The endpoint has no other thread. A write from memory outside the heap is
     * executed at once. The thread that polls is the one that sends. While it does not poll, the endpoint does not
     * answer its peers, and they declare it down after their timeout.
     *
     * @param endpointDirectory usually {@code /dev/shm/fibnuma-NAME}.
     * @param listener          of answers.
     * @param endpoint          the endpoint of that directory, run by each {@link #poll()}; null if the endpoint has
     *                          its own thread or process.
     * @return the connection. The caller closes it, and then the endpoint.
     * @throws UserException with the reason in one line.
     */
    public static EndpointClient connect(
        final Path endpointDirectory, final AnswerListener listener, final CompanionEndpoint endpoint)
    {
        final ClientFile file = ClientFile.open(endpointDirectory);
        final String lost = file.lost();
        if (lost != null)
        {
            throw new EndpointLostException(file.path() + ": " + lost);
        }
        final EndpointClient client = new EndpointClient(file, file.claimSlot(), listener, endpoint);
        client.heart.start();
        return client;
    }

    private void beat()
    {
        try
        {
            beatUntilLost();
        }
        catch (final InternalError fault)
        {
            onFault(fault);
        }
    }

    private EndpointLostException onFault(final InternalError fault)
    {
        final EndpointLostException ex = EndpointLostException.of(file.path().getParent(), fault);
        lost = ex.getMessage();
        return ex;
    }

    private void beatUntilLost()
    {
        final long pauseNs = Math.min(file.timeoutNs() / BEATS_A_TIMEOUT, MAX_PAUSE_NS);
        while (!closed && lost == null)
        {
            buffer.putLongRelease(slot + ClientLayout.SLOT_HEARTBEAT_OFFSET, System.nanoTime());
            final String problem = buffer.getIntVolatile(slot) != ClientLayout.SLOT_ACTIVE && !closed ?
                "the endpoint has disconnected this client; connect again" :
                file.lost();
            if (problem != null)
            {
                lost = file.path() + ": " + problem;
            }
            LockSupport.parkNanos(pauseNs);
        }
    }

    /**
     * Returns a new window for the sending thread to a region, with an id of 1 to 65,535, of the peer with this PC ID.
     */
    public RemoteWindow window(final int peerId, final int regionId)
    {
        return new RemoteWindow(this, ClientMessage.target(peerId, regionId, 0));
    }

    /**
     * Returns the current length in bytes of the longest write from memory outside the heap: 1,024, or more with an
     * endpoint on this thread.
     *
     * @param target of the write.
     */
    public int longestWrite(final long target)
    {
        return isDirect() ?
            Math.max(ClientMessage.MAX_DATA_LENGTH, direct.longest(target)) : ClientMessage.MAX_DATA_LENGTH;
    }

    private boolean isDirect()
    {
        return direct != null && !endpoint.isBusy();
    }

    /**
     * Sends a write.
     *
     * @param target destination, {@link ClientMessage#target}.
     * @param source of the bytes.
     * @param offset of the first byte.
     * @param length 1 to 1,024; outside the heap 1 to {@link #longestWrite}.
     * @param flags  {@link ClientMessage#ORDERED}, {@link ClientMessage#THEN_FLUSH}, added.
     * @return whether it was accepted.
     */
    public boolean tryWrite(
        final long target, final DirectBuffer source, final int offset, final int length, final int flags)
    {
        return tryWrite(target, source, offset, length, flags, generation(target), 0);
    }

    /**
     * Sends a write whose result {@link AnswerListener#onWritten} receives. It is sent without a flush. At most 128
     * such writes of a client are unanswered at once; later requests wait in its ring.
     *
     * @param target      destination.
     * @param source      of the bytes.
     * @param offset      of the first byte.
     * @param length      1 to 1,024; outside the heap 1 to {@link #longestWrite}.
     * @param flags       {@link ClientMessage#ORDERED}, {@link ClientMessage#THEN_FLUSH}, added.
     * @param correlation not 0, returned with the answer.
     * @return whether it was accepted.
     */
    public boolean tryWrite(
        final long target,
        final DirectBuffer source,
        final int offset,
        final int length,
        final int flags,
        final long correlation)
    {
        return tryWrite(target, source, offset, length, flags, generation(target), correlation);
    }

    /** Sends a write for a generation of the connection with the peer, which may have ended. */
    boolean tryWrite(
        final long target,
        final DirectBuffer source,
        final int offset,
        final int length,
        final int flags,
        final int generation,
        final long correlation)
    {
        if (direct != null && source.byteArray() == null)
        {
            requireEndpoint();
            source.boundsCheck(offset, length);
            final CompanionWrites.Outcome outcome =
                writeDirect(target, generation, source.addressOffset() + offset, length, flags, correlation);
            if (outcome != CompanionWrites.Outcome.NOT_DIRECT || length > ClientMessage.MAX_DATA_LENGTH)
            {
                return outcome == CompanionWrites.Outcome.EXECUTED;
            }
        }
        requireData(length);
        final int at = claimAny(ClientMessage.requestType(ClientMessage.WRITE, generation),
            ClientMessage.DATA_OFFSET + length, target, correlation);
        if (at < 0)
        {
            return false;
        }
        sendMemory.putInt(at + ClientMessage.LENGTH_OFFSET, length);
        sendMemory.putInt(at + ClientMessage.FLAGS_OFFSET, flags);
        sendMemory.putBytes(at + ClientMessage.DATA_OFFSET, source, offset, length);
        commit(at);
        return true;
    }

    /**
     * Returns whether writes currently pass by memory to the peer of a target, so that {@link #tryScatter} can be used.
     * This requires an endpoint on this thread, and the peer at the other end of its link.
     */
    public boolean passesByMemory(final long target)
    {
        return isDirect() && direct.passesByMemory(target);
    }

    /**
     * Sends several ordered writes into one region at once, if {@link #passesByMemory}. No flush is needed.
     *
     * @param target      first byte of the region.
     * @param list        of the pieces, not empty.
     * @param correlation 0, or returned with the one answer to {@link AnswerListener#onWritten}.
     * @return whether it was accepted. If not, send the pieces one by one.
     */
    public boolean tryScatter(final long target, final ScatterList list, final long correlation)
    {
        if (direct == null)
        {
            return false;
        }
        requireEndpoint();
        if (endpoint.isBusy())
        {
            return false;
        }
        final FrameBounds.Access access = access(list.address(), list.length());
        try
        {
            return direct.scatter(target, generation(target), list.address(), list.length(), correlation);
        }
        catch (final InternalError fault)
        {
            endpoint.onFault(fault);
            return false;
        }
        finally
        {
            access.close();
        }
    }

    /** Registers memory of the caller for reads of the endpoint if bounds are checked. The caller closes the access. */
    private static FrameBounds.Access access(final long address, final int length)
    {
        return FrameMemory.BOUNDS_CHECKS ? FrameBounds.access(address, length) : FrameBounds.Access.NONE;
    }

    private CompanionWrites.Outcome writeDirect(
        final long target,
        final int generation,
        final long dataAddress,
        final int length,
        final int flags,
        final long correlation)
    {
        if (endpoint.isBusy())
        {
            return CompanionWrites.Outcome.NOT_DIRECT;
        }
        final FrameBounds.Access access = access(dataAddress, length);
        try
        {
            return direct.write(target, generation, dataAddress, length, flags, correlation);
        }
        catch (final InternalError fault)
        {
            endpoint.onFault(fault);
            return CompanionWrites.Outcome.NOT_DIRECT;
        }
        finally
        {
            access.close();
        }
    }

    /**
     * Reads bytes, which {@link AnswerListener#onRead} receives.
     *
     * @param target      source.
     * @param length      1 to 1,024.
     * @param correlation 1 or more, returned with the answer.
     * @return whether it was accepted.
     */
    public boolean tryRead(final long target, final int length, final long correlation)
    {
        requireData(length);
        final int at = claim(ClientMessage.READ, ClientMessage.DATA_OFFSET, target, correlation);
        if (at < 0)
        {
            return false;
        }
        sendMemory.putInt(at + ClientMessage.LENGTH_OFFSET, length);
        commit(at);
        return true;
    }

    /**
     * Changes 4 or 8 bytes atomically. {@link AnswerListener#onAtomic} receives the answer.
     *
     * @param operation   of {@code AtomicOperation}.
     * @param target      aligned to the width.
     * @param operand     value to add or store.
     * @param compare     value that a compare-and-swap expects.
     * @param width       4 or 8.
     * @param correlation 1 or more, returned with the answer.
     * @return whether it was accepted.
     */
    public boolean tryAtomic(final int operation, final long target, final long operand, final long compare,
        final int width, final long correlation)
    {
        final int at = claim(ClientMessage.ATOMIC, ClientMessage.ATOMIC_LENGTH, target, correlation);
        if (at < 0)
        {
            return false;
        }
        sendMemory.putInt(at + ClientMessage.OPERATION_OFFSET, operation);
        sendMemory.putInt(at + ClientMessage.WIDTH_OFFSET, width);
        sendMemory.putLong(at + ClientMessage.OPERAND_OFFSET, operand);
        sendMemory.putLong(at + ClientMessage.COMPARE_OFFSET, compare);
        commit(at);
        return true;
    }

    /** Sends a doorbell to the peer with this PC ID; returns whether it was accepted. */
    public boolean tryDoorbell(final int peerId)
    {
        return trySmall(ClientMessage.DOORBELL, ClientMessage.target(peerId, 0, 0), 0);
    }

    /**
     * Sends everything gathered for a peer.
     *
     * @param peerId      PC ID.
     * @param correlation 1 or more for an answer to {@link AnswerListener#onDone} when the endpoint has sent everything
     *                    over a connection; 0 for no answer. While the peer is not up, the answer and all later
     *                    requests of this client wait.
     * @return whether it was accepted.
     */
    public boolean tryFlush(final int peerId, final long correlation)
    {
        return trySmall(ClientMessage.FLUSH, ClientMessage.target(peerId, 0, 0), correlation);
    }

    /**
     * Removes a region of this client.
     *
     * @param regionId    id from {@link #addRegion}.
     * @param correlation 1 or more, returned with {@link AnswerListener#onDone}.
     * @return whether it was accepted.
     */
    public boolean tryRemoveRegion(final int regionId, final long correlation)
    {
        return trySmall(ClientMessage.REMOVE_REGION, ClientMessage.target(0, regionId, 0), correlation);
    }

    /**
     * Sets the key of a peer's region for all later requests of this client.
     *
     * @param peerId      PC ID.
     * @param regionId    at the peer.
     * @param key         of the region.
     * @param correlation 1 or more, returned with {@link AnswerListener#onDone}.
     * @return whether it was accepted.
     */
    public boolean tryKey(final int peerId, final int regionId, final long key, final long correlation)
    {
        final int at = claim(ClientMessage.SET_KEY, ClientMessage.KEY_OFFSET + Long.BYTES,
            ClientMessage.target(peerId, regionId, 0), correlation);
        if (at < 0)
        {
            return false;
        }
        sendMemory.putLong(at + ClientMessage.KEY_OFFSET, key);
        commit(at);
        return true;
    }

    /**
     * Adds a region for the lifetime of this client, and waits for the answer. Other answers are delivered in the
     * meantime.
     *
     * @param name   not in use at this endpoint.
     * @param size   in bytes, a multiple of 4,096.
     * @param access write 1, read 2, atomic 4, added.
     * @param allow  prefixes of peers that may access it, separated by commas.
     * @return id and key of the region, and its mapping, which the caller closes.
     * @throws UserException with the reason, if the endpoint refuses.
     */
    public OwnRegion addRegion(final String name, final long size, final int access, final String allow)
    {
        final byte[] nameBytes = name.getBytes(StandardCharsets.US_ASCII);
        final byte[] allowBytes = allow.getBytes(StandardCharsets.US_ASCII);
        final long correlation = --correlations;
        final int length = ClientMessage.TEXT_OFFSET + nameBytes.length + allowBytes.length;
        int at = claim(ClientMessage.ADD_REGION, length, 0, correlation);
        while (at < 0)
        {
            LockSupport.parkNanos(1);
            at = claim(ClientMessage.ADD_REGION, length, 0, correlation);
        }
        sendMemory.putLong(at + ClientMessage.REGION_SIZE_OFFSET, size);
        sendMemory.putInt(at + ClientMessage.ACCESS_OFFSET, access);
        sendMemory.putInt(at + ClientMessage.NAME_LENGTH_OFFSET, nameBytes.length);
        sendMemory.putInt(at + ClientMessage.ALLOW_LENGTH_OFFSET, allowBytes.length);
        sendMemory.putBytes(at + ClientMessage.TEXT_OFFSET, nameBytes);
        sendMemory.putBytes(at + ClientMessage.TEXT_OFFSET + nameBytes.length, allowBytes);
        commit(at);
        answers.awaitRegion(correlation);
        while (!answers.hasRegion())
        {
            if (poll() == 0)
            {
                LockSupport.parkNanos(1);
            }
        }
        if (answers.regionStatus() != ClientStatus.OK)
        {
            throw new UserException(
                "region " + name + ": the endpoint refused it: " + ClientStatus.label(answers.regionStatus()));
        }
        return new OwnRegion(answers.regionId(), answers.regionKey(), region(name));
    }

    /**
     * Maps a region of this machine's endpoint.
     *
     * @param name of a configured region or of a client's region.
     * @return the mapping, which the caller closes.
     * @throws UserException if there is no such region.
     */
    public RegionMapping region(final String name)
    {
        requireEndpoint();
        final Path path = file.regionFile(name);
        if (path == null)
        {
            throw new UserException(file.path() + ": there is no region \"" + name + "\"");
        }
        return RegionMapping.open(path);
    }

    /**
     * Delivers answers and events to the listener on this thread, and runs the endpoint if it has no other thread.
     * Returns the number of answers and events plus the endpoint's work.
     */
    public int poll()
    {
        requireEndpoint();
        final int work = endpoint == null ? 0 : runEndpoint();
        try
        {
            return work + answers.poll();
        }
        catch (final InternalError fault)
        {
            throw onFault(fault);
        }
    }

    private int runEndpoint()
    {
        try
        {
            return endpoint.doWork();
        }
        catch (final RuntimeException ex)
        {
            throw ex;
        }
        catch (final Exception ex)
        {
            throw new IllegalStateException("the endpoint's duty cycle failed", ex);
        }
    }

    /** Returns the number of events that were lost, because the answer ring was full, since this client connected. */
    public long lostEvents()
    {
        return buffer.getLongVolatile(slot + ClientLayout.SLOT_LOST_EVENTS_OFFSET);
    }

    private boolean trySmall(final int type, final long target, final long correlation)
    {
        final int at = claim(type, ClientMessage.MIN_REQUEST_LENGTH, target, correlation);
        if (at >= 0)
        {
            commit(at);
        }
        return at >= 0;
    }

    /** Returns the generation of the connection with the peer of a target, as last reported to the client. */
    int generation(final long target)
    {
        return generations.get(ClientMessage.peerId(target));
    }

    private int claim(final int type, final int length, final long target, final long correlation)
    {
        return claimAny(type <= ClientMessage.FLUSH ?
            ClientMessage.requestType(type, generation(target)) : type, length, target, correlation);
    }

    private int claimAny(final int type, final int length, final long target, final long correlation)
    {
        requireEndpoint();
        final int at = sends.tryClaim(type, length);
        if (at >= 0)
        {
            sendMemory.putLong(at + ClientMessage.TARGET_OFFSET, target);
            sendMemory.putLong(at + ClientMessage.CORRELATION_OFFSET, correlation);
        }
        return at;
    }

    private void commit(final int at)
    {
        sends.commit(at);
        if (endpoint != null)
        {
            endpoint.onRequest();
        }
    }

    private static void requireData(final int length)
    {
        if (length < 1 || length > ClientMessage.MAX_DATA_LENGTH)
        {
            throw new IllegalArgumentException(
                length + " bytes; one record has 1 to " + ClientMessage.MAX_DATA_LENGTH);
        }
    }

    void requireEndpoint()
    {
        final String problem = lost;
        if (problem != null)
        {
            throw new EndpointLostException(problem);
        }
        if (closed)
        {
            throw new UserException("this client is closed");
        }
    }

    /** Disconnects. Requests that were sent are still executed, and the regions of this client are revoked. */
    @Override
    public void close()
    {
        if (!closed)
        {
            closed = true;
            LockSupport.unpark(heart);
            try
            {
                buffer.putIntRelease(slot + ClientLayout.SLOT_STATE_OFFSET, ClientLayout.SLOT_CLOSING);
            }
            catch (final InternalError fault)
            {
                onFault(fault);
            }
        }
    }
}
