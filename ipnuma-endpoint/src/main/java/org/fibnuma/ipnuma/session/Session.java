package org.fibnuma.ipnuma.session;

import org.agrona.CloseHelper;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.channel.PeerChannel;
import org.fibnuma.ipnuma.session.timing.DeadlineHeap;
import org.fibnuma.ipnuma.session.window.ReceiveWindow;
import org.fibnuma.ipnuma.session.window.SendWindow;
import org.fibnuma.ipnuma.session.window.SlotPool;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.table.RemoteAddress;
import org.fibnuma.ipnuma.wire.TlpFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaKind;

import java.util.function.Consumer;

/**
 * A reliable session with one peer. Writes, reads and atomics are accepted or rejected as by a {@link PeerChannel},
 * sent by {@link #poll}, and kept in native memory until the peer has acknowledged them. {@link #onDatagram} receives
 * the datagrams of the peer. All methods are for the endpoint's thread. Times are nanoseconds of one monotonic clock.
 * <p>
 * Ordered writes, reads and atomics take effect in the order of the calls. The first write, read or atomic connects, as
 * {@link #connect} does.
 * <p>
 * Memory: each unacknowledged datagram and each early datagram uses a slot of the pool, at most 256 of each kind.
 * Without a connection, slots are used only while less than half of the pool is in use. The first write allocates
 * 5 KiB of heap memory, and the first write with a request tag 29 KiB more. The first of these that passes by memory
 * allocates 16 KiB more, and the first read 4 KiB. Nothing else is allocated after the constructor.
 */
public final class Session implements AutoCloseable
{
    /** Header, trailer and authentication tag of a sealed datagram, in bytes. */
    private static final int OVERHEAD = FibnumaHeaderFlyweight.MIN_LENGTH + FibnumaHeaderFlyweight.TAG_LENGTH;
    private static final Consumer<FibnumaHeaderFlyweight> NOT_SEALED = handshake ->
    {
        // No keys are derived.
    };
    /** A write across a 4 KiB boundary has two headers, and may begin and end inside a DW. */
    private static final int WRITE_OVERHEAD = 2 * (TlpFlyweight.LENGTH_4DW + TlpFlyweight.DW);

    final ConnectionId id;
    private final int capacity;
    private final SendWindow window;
    private final OpenDatagram open;
    private final ReceiveWindow received;
    /** Pool of this session alone; null if it shares one. */
    private final SlotPool ownPool;
    private final Sender sender;
    private final Receiver receiver;
    private final Connection connection;
    /** Null if no writes pass without datagrams. */
    private final DirectWrites direct;
    private final int pcId;
    private final ChannelListener listener;
    private final SessionCounter.Counts counts = new SessionCounter.Counts();
    private final FibnumaHeaderFlyweight header = new FibnumaHeaderFlyweight();

    /**
     * Creates a session without connection and without keys.
     *
     * @param pcId     of the peer, for the listener.
     * @param settings read by the constructor only.
     * @param regions  accessed by the peer.
     * @param listener notified of events and answers.
     */
    public Session(
        final int pcId, final SessionSettings settings, final RegionTable regions, final ChannelListener listener)
    {
        this(pcId, settings, regions, listener, NOT_SEALED, null);
    }

    /**
     * Creates a session without connection and without keys. Its writes pass by memory while the peer is at the other
     * end of a link.
     *
     * @param pcId     of the peer, for the listener.
     * @param settings read by the constructor only.
     * @param regions  accessed by the peer.
     * @param listener notified of events and answers.
     * @param peer     address of the peer, and the rings of the link.
     */
    public Session(
        final int pcId,
        final SessionSettings settings,
        final RegionTable regions,
        final ChannelListener listener,
        final DirectPeer peer)
    {
        this(pcId, settings, regions, listener, NOT_SEALED, peer);
    }

    /**
     * Creates a session without connection, whose connections have keys.
     *
     * @param pcId       of the peer, for the listener.
     * @param settings   read by the constructor only.
     * @param regions    accessed by the peer.
     * @param listener   notified of events and answers.
     * @param handshakes receives the peer's CONFIRM or CONFIRMED when a connection begins, before its first datagram.
     *                   The datagram is valid during the call. Keys are derived from its two nonces. They are fresh: no
     *                   two connections have the same pair.
     */
    public Session(
        final int pcId,
        final SessionSettings settings,
        final RegionTable regions,
        final ChannelListener listener,
        final Consumer<FibnumaHeaderFlyweight> handshakes)
    {
        this(pcId, settings, regions, listener, handshakes, null);
    }

    private Session(
        final int pcId,
        final SessionSettings settings,
        final RegionTable regions,
        final ChannelListener listener,
        final Consumer<FibnumaHeaderFlyweight> handshakes,
        final DirectPeer peer)
    {
        settings.validate();
        capacity = (settings.datagramLength() - OVERHEAD) & -TlpFlyweight.DW;
        ownPool = settings.slots() == null ?
            new SlotPool(settings.datagramLength(), SendWindow.SLOTS + ReceiveWindow.SLOTS) : null;
        final SlotPool pool = ownPool == null ? settings.slots() : ownPool;
        this.pcId = pcId;
        this.listener = listener;
        window = new SendWindow(pool, settings.firstSequence());
        received = new ReceiveWindow(pool, settings.receiveWindow());
        open = new OpenDatagram(window, capacity);
        final RequestTable requests = new RequestTable();
        final Acknowledger acknowledger = new Acknowledger(settings);
        final RefusedWrites refused = new RefusedWrites(settings.refusalIntervalNs());
        id = new ConnectionId(settings, handshakes);
        final SessionOutput sending = new SessionOutput(id, window, received, acknowledger, refused, counts);
        final RegionInput regionInput =
            new RegionInput(pcId, regions, open, requests, refused, listener, counts, capacity);
        direct = peer == null ? null : new DirectWrites(
            peer, regionInput, received, new AwaitedRecords(pcId, listener), counts);
        sender = new Sender(pcId, window, open, requests, direct, sending, settings, listener, counts);
        receiver = new Receiver(received, acknowledger, refused, regionInput, direct, sending, counts);
        connection = new Connection(pcId, id, sender, receiver, direct, sending, settings, listener, counts);
    }

    /** Connects: {@link #poll} sends hellos until the peer answers, and again after each loss of the connection. */
    public void connect()
    {
        connection.connect();
    }

    /**
     * Closes the connection after everything before this call is acknowledged, and reports it to {@link
     * ChannelListener#onDown}. The peer may connect again.
     */
    public void disconnect()
    {
        flush();
        connection.disconnect();
    }

    /**
     * Ends the connection as if the network had failed, without notifying the peer. Connects again unless {@link
     * #disconnect} was called. The session keeps no slot of its pool. This is the only valid call after an error inside
     * another call or inside this one. It calls {@link ChannelListener#onDown} even without a connection, unless no
     * connection was ever established and no write is pending.
     */
    public void abort()
    {
        connection.abort();
    }

    /** Returns the longest write and read in bytes, 1,344 with an MTU of 1,500. */
    public int maxTransfer()
    {
        return capacity - WRITE_OVERHEAD & -Long.BYTES;
    }

    /**
     * Returns the length in bytes of the longest {@link #write} now: {@link #maxTransfer()}, and more while writes pass
     * by memory.
     */
    public int longestWrite()
    {
        return isDirect() ? direct.longest() : maxTransfer();
    }

    /**
     * Accepts a write as {@link PeerChannel#write(long, long, long, int, boolean, long)} does. A relaxed write may take
     * effect before earlier writes, and after later relaxed ones. At most 1,024 request tags of writes can be
     * unanswered, and another 1,024 of writes that pass by memory.
     *
     * @throws IllegalArgumentException if the length is not 1 to {@link #longestWrite()}.
     */
    public boolean write(
        final long remoteAddress,
        final long key,
        final long dataAddress,
        final int length,
        final boolean ordered,
        final long tag)
    {
        if (isDirect())
        {
            requireLength(length, direct.longest());
            return direct.write(remoteAddress, key, window.end(), dataAddress, length, tag);
        }
        requireLength(length, maxTransfer());
        return isTaking() && sender.write(remoteAddress, key, dataAddress, length, ordered, tag);
    }

    /**
     * Accepts a list of ordered writes as {@link PeerChannel#scatter} does. Returns false if the list is longer than
     * {@link #longestWrite()} or writes do not pass by memory.
     */
    public boolean scatter(
        final long regionAddress, final long key, final long listAddress, final int length, final long tag)
    {
        return isDirect() && length <= direct.longest() &&
            direct.scatter(regionAddress, key, window.end(), listAddress, length, tag);
    }

    /**
     * Returns whether the next write passes by memory. Such a write is sent at once, without {@link #flush} and {@link
     * #poll}. {@link #poll} reports its answer.
     */
    public boolean isDirect()
    {
        return direct != null && direct.isOpen() && connection.state() == SessionState.UP && !open.isOpen();
    }

    /** Returns whether {@link #flush} and {@link #poll} send data. */
    public boolean hasDataToSend()
    {
        return open.isOpen() || window.hasWaiting();
    }

    /** Records that the counters are published. The next write by memory calls {@link DirectPeer#activity} again. */
    public void onPublished()
    {
        if (direct != null)
        {
            direct.onPublished();
        }
    }

    /**
     * Accepts a read as {@link PeerChannel#read} does.
     *
     * @throws IllegalArgumentException if the length is not 1 to {@link #maxTransfer()}, or the last byte has no offset
     *                                  below 2^32.
     */
    public boolean read(final long remoteAddress, final long key, final int length, final long tag)
    {
        requireLength(length, maxTransfer());
        if (RemoteAddress.isLeaving(remoteAddress, length))
        {
            throw new IllegalArgumentException("a read of " + length + " bytes at 0x" +
                Long.toHexString(remoteAddress) + " leaves its region");
        }
        return isTaking() && sender.read(remoteAddress, key, length, tag);
    }

    /**
     * Accepts an atomic as {@link PeerChannel#atomic} does.
     *
     * @throws IllegalArgumentException if the width is not 4 or 8, or the address is not aligned to it.
     */
    public boolean atomic(
        final int operation,
        final long remoteAddress,
        final long key,
        final long operand,
        final long compare,
        final int width,
        final long tag)
    {
        if (width != Integer.BYTES && width != Long.BYTES || (remoteAddress & width - 1) != 0)
        {
            throw new IllegalArgumentException(
                "an atomic of " + width + " bytes at 0x" + Long.toHexString(remoteAddress));
        }
        return isTaking() && sender.atomic(operation, remoteAddress, key, operand, compare, width, tag);
    }

    /** Accepts a doorbell as {@link PeerChannel#doorbell} does. */
    public boolean doorbell()
    {
        return isTaking() && open.ring();
    }

    /** Completes the open datagram, so that the next {@link #poll} sends it. */
    public void flush()
    {
        open.close();
    }

    /**
     * Processes a datagram of the peer. No content causes an exception.
     *
     * @param payloadAddress of the UDP payload, which is used during this call only, and may be changed.
     * @param length         of the payload in bytes.
     * @param ce             whether the datagram is marked with congestion experienced.
     * @param sourceIpv4     address of the peer, which the regions check.
     * @param nowNs          monotonic time.
     */
    public void onDatagram(
        final long payloadAddress, final int length, final boolean ce, final int sourceIpv4, final long nowNs)
    {
        if (!isIntact(payloadAddress, length))
        {
            counts.add(SessionCounter.DAMAGED);
            return;
        }
        final int kind = header.kind();
        if (FibnumaKind.isHandshake(kind))
        {
            connection.onHandshake(header, nowNs);
        }
        else if (kind == FibnumaKind.RESET)
        {
            connection.onReset(header);
        }
        else if (connection.matches(header))
        {
            onMatching(kind, ce, sourceIpv4, nowNs);
        }
        else
        {
            connection.onStray(header);
        }
    }

    /**
     * Sends what is due: repeats, new data, acknowledgements, hellos, probes. Called in every duty cycle.
     *
     * @param output sends the datagrams.
     * @param nowNs  monotonic time.
     * @return number of datagrams sent.
     */
    public int poll(final DatagramOutput output, final long nowNs)
    {
        int sent = connection.poll(output, nowNs);
        if (connection.isUp())
        {
            if (!sender.onTime(nowNs) || direct != null && direct.isDamaged())
            {
                connection.lose(false);
                return sent;
            }
            sender.answerWrites();
            sent += sender.poll(output, nowNs);
            sent += receiver.poll(output, nowNs);
            sent += connection.pollLiveness(output, nowNs);
        }
        return sent;
    }

    /**
     * Returns when {@link #poll} has to be called next if no other method is called before. The time may have passed.
     * {@link DeadlineHeap#NEVER} means that nothing is due.
     *
     * @param canSend false if the output accepts no datagram. Then only timers that send nothing count.
     * @param nowNs   monotonic time.
     */
    public long dueNs(final boolean canSend, final long nowNs)
    {
        if (direct != null && direct.isAwaiting())
        {
            return nowNs;
        }
        final long timerNs = connection.isUp() ? sender.timerDueNs() : DeadlineHeap.NEVER;
        if (!canSend)
        {
            return DeadlineHeap.earlier(timerNs, connection.lossDueNs());
        }
        final long dueNs = DeadlineHeap.earlier(timerNs, connection.dueNs(nowNs));
        return !connection.isUp() ? dueNs : DeadlineHeap.earlier(
            dueNs, DeadlineHeap.earlier(sender.sendDueNs(nowNs), receiver.dueNs(nowNs)));
    }

    /** Returns the state of the connection. */
    public SessionState state()
    {
        return connection.state();
    }

    /** Returns the number of accepted writes that are not acknowledged. */
    public long pendingWrites()
    {
        return connection.pendingWrites();
    }

    /** Returns a count since the session was created. */
    public long counter(final SessionCounter counter)
    {
        return counts.get(counter);
    }

    /** Returns the smoothed round-trip time in nanoseconds, 0 before the first sample. */
    public long roundTripNs()
    {
        return sender.roundTripNs();
    }

    /** Returns the rate that congestion control allows, in bits a second. */
    public double rate()
    {
        return sender.rate();
    }

    /** Releases the memory without notifying the peer. The session must not be used afterwards. */
    @Override
    public void close()
    {
        window.clear();
        received.clear();
        CloseHelper.close(ownPool);
    }

    private boolean isIntact(final long address, final int length)
    {
        if (length < FibnumaHeaderFlyweight.MIN_LENGTH || !header.wrap(address).isVersion2())
        {
            if (length >= FibnumaHeaderFlyweight.MIN_LENGTH && header.isFibnuma())
            {
                counts.add(SessionCounter.OTHER_VERSION);
            }
            return false;
        }
        final int tlpBytes = header.tlpBytes();
        return SessionOutput.length(tlpBytes) == length && header.isIntact(tlpBytes);
    }

    private void onMatching(final int kind, final boolean ce, final int sourceIpv4, final long nowNs)
    {
        if (!window.admits(header.acknowledgement()))
        {
            counts.add(SessionCounter.STRAY);
            return;
        }
        counts.add(SessionCounter.RECEIVED);
        connection.onHeard(nowNs);
        receiver.onHeader(header, ce, nowNs);
        sender.onHeader(header, kind, header.flags(), nowNs);
        switch (kind)
        {
            case FibnumaKind.DATA -> receiver.onData(header, sourceIpv4, nowNs);
            case FibnumaKind.PROBE -> receiver.demandAcknowledgement();
            case FibnumaKind.ERROR -> listener.onError(pcId, header.status(), header.key());
            case FibnumaKind.CLOSE ->
            {
                receiver.executeDirect();
                connection.onClose(header);
            }
            default ->
            {
                // An ACK or NAK has only a header.
            }
        }
    }

    private boolean isTaking()
    {
        final SessionState state = connection.state();
        if (state == SessionState.IDLE)
        {
            connect();
        }
        return state != SessionState.CLOSING;
    }

    private static void requireLength(final int length, final int longest)
    {
        if (length < 1 || length > longest)
        {
            throw new IllegalArgumentException(
                "a transfer of " + length + " bytes: 1 to " + longest + " are possible");
        }
    }
}
