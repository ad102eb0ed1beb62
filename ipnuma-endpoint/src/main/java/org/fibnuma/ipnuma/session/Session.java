package org.fibnuma.ipnuma.session;

import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.ipnuma.session.window.ReceiveWindow;
import org.fibnuma.ipnuma.session.window.SendWindow;
import org.fibnuma.ipnuma.table.AtomicOperation;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.wire.TlpFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaKind;

import java.util.function.Consumer;

/**
 * The connection with one peer. Writes, reads and atomics are taken here, wait in native memory until the peer has
 * acknowledged them, and leave in {@link #poll}; what the peer sends comes in through {@link #onDatagram}. Everything
 * is called on one thread, the endpoint's; times are nanoseconds of one monotonic clock.
 * <p>
 * Ordered writes, reads and atomics take effect exactly once and in the order in which they were taken here, relaxed
 * writes exactly once. Where the connection is lost, {@link SessionListener} is told how many writes were pending.
 * The first of them connects, as {@link #connect} does.
 * <p>
 * Memory: 512 slots of the longest datagram, 736 KiB with an MTU of 1,500, and 29 KiB for writes with a tag, from the
 * start and never more.
 */
public final class Session implements AutoCloseable
{
    /** What header, trailer and the tag of a sealed datagram leave is for TLPs. */
    private static final int OVERHEAD = FibnumaHeaderFlyweight.MIN_LENGTH + FibnumaHeaderFlyweight.TAG_LENGTH;
    /** A write that crosses a page has two headers, and may begin and end inside a DW. */
    private static final int WRITE_OVERHEAD = 2 * (TlpFlyweight.LENGTH_4DW + TlpFlyweight.DW);
    private static final int CACHE_LINE = 64;

    final ConnectionId id;
    private final int capacity;
    private final MemoryRegion memory;
    private final Sender sender;
    private final Receiver receiver;
    private final Connection connection;
    private final SessionListener listener;
    private final SessionCounter.Counts counts = new SessionCounter.Counts();
    private final FibnumaHeaderFlyweight header = new FibnumaHeaderFlyweight();

    /**
     * A session without a connection.
     *
     * @param settings read now, not later.
     * @param regions  that the peer's writes and requests reach.
     * @param listener told what happens.
     */
    public Session(final SessionSettings settings, final RegionTable regions, final SessionListener listener)
    {
        this(settings, regions, listener, handshake ->
        {
            // Nobody makes keys of it.
        });
    }

    /**
     * A session without a connection, whose connections have keys.
     *
     * @param settings   read now, not later.
     * @param regions    that the peer's writes and requests reach.
     * @param listener   told what happens.
     * @param handshakes given the peer's CONFIRM or CONFIRMED when a connection begins, before its first datagram: keys
     *                   come of both nonces in it. Both are proved fresh, and no two connections have the same pair.
     *                   The datagram is valid during the call.
     */
    public Session(
        final SessionSettings settings,
        final RegionTable regions,
        final SessionListener listener,
        final Consumer<FibnumaHeaderFlyweight> handshakes)
    {
        settings.validate();
        final int stride = (settings.datagramLength() + CACHE_LINE - 1) & -CACHE_LINE;
        capacity = (settings.datagramLength() - OVERHEAD) & -TlpFlyweight.DW;
        memory = MemoryRegion.ofBytes((SendWindow.SLOTS + ReceiveWindow.SLOTS) * stride);
        this.listener = listener;
        final SendWindow window = new SendWindow(memory.address(), stride, settings.firstSequence());
        final ReceiveWindow received = new ReceiveWindow(
            memory.address() + (long)SendWindow.SLOTS * stride, stride, settings.receiveWindow());
        final OpenDatagram open = new OpenDatagram(window, capacity);
        final RequestTable requests = new RequestTable();
        final Acknowledger acknowledger = new Acknowledger(settings);
        final RefusedWrites refused = new RefusedWrites(settings.refusalIntervalNs());
        id = new ConnectionId(settings, handshakes);
        final SessionOutput sending = new SessionOutput(id, window, received, acknowledger, refused, counts);
        sender = new Sender(window, open, requests, sending, settings, listener, counts);
        receiver = new Receiver(received, acknowledger, refused,
            new RegionInput(regions, open, requests, refused, listener, counts, capacity), sending, counts);
        connection = new Connection(id, sender, receiver, sending, settings, listener, counts);
    }

    /** Wants a connection from now on: {@link #poll} sends hellos until the peer answers, again after each loss. */
    public void connect()
    {
        connection.connect();
    }

    /**
     * Wants no connection any more. What was taken before goes out first; {@link SessionListener#onDown} tells the
     * end. The peer may connect again.
     */
    public void disconnect()
    {
        flush();
        connection.disconnect();
    }

    /**
     * Ends the connection as if the network had failed, without a word to the peer, and begins another one where one is
     * wanted. After an error in the middle of a call nothing else is known of its state.
     */
    public void abort()
    {
        if (connection.isUp())
        {
            connection.lose(false);
        }
    }

    /**
     * Longest write and read.
     *
     * @return bytes, 1,344 with an MTU of 1,500.
     */
    public int maxTransfer()
    {
        return capacity - WRITE_OVERHEAD & -Long.BYTES;
    }

    /**
     * Takes a write. Several go into one datagram, which leaves with {@link #flush} or when it is full.
     *
     * @param remoteAddress of the first byte, 48 bits.
     * @param key           of the region there.
     * @param dataAddress   of the bytes, which are copied.
     * @param length        1 to {@link #maxTransfer()}.
     * @param ordered       false where it may take effect before writes that were taken earlier, and after later ones
     *                      that are relaxed too.
     * @param tag           0, or given back with {@link SessionListener#onWritten} or
     *                      {@link SessionListener#onUnanswered}, one of them once. At most 1,024 wait for that.
     * @return false where no room is left: nothing was taken; try again after {@link #poll}.
     */
    public boolean write(
        final long remoteAddress,
        final long key,
        final long dataAddress,
        final int length,
        final boolean ordered,
        final long tag)
    {
        requireLength(length);
        return isTaking() && sender.write(remoteAddress, key, dataAddress, length, ordered, tag);
    }

    /**
     * Takes a read; {@link SessionListener#onRead} has the answer. Leaves with {@link #flush}.
     *
     * @param remoteAddress of the first byte, 48 bits.
     * @param key           of the region there.
     * @param length        1 to {@link #maxTransfer()}, not across a boundary of 4,096 bytes.
     * @param tag           returned with the answer.
     * @return false where no room is left or too many wait for an answer: nothing was taken.
     */
    public boolean read(final long remoteAddress, final long key, final int length, final long tag)
    {
        requireLength(length);
        if (((remoteAddress ^ remoteAddress + length - 1) & -TlpFlyweight.BOUNDARY) != 0)
        {
            throw new IllegalArgumentException("a read across a page: " + length + " bytes at 0x" +
                Long.toHexString(remoteAddress));
        }
        return isTaking() && sender.read(remoteAddress, key, length, tag);
    }

    /**
     * Takes an atomic; {@link SessionListener#onAtomic} has the value before it. Leaves with {@link #flush}.
     *
     * @param operation     of {@link AtomicOperation}.
     * @param remoteAddress of the value, 48 bits, aligned to its width.
     * @param key           of the region there.
     * @param operand       to add or store.
     * @param compare       what must stand there for a compare-and-swap to store.
     * @param width         4 or 8 bytes.
     * @param tag           returned with the answer.
     * @return false where no room is left or too many wait for an answer: nothing was taken.
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

    /**
     * Rings at the peer once everything taken before has taken effect there. Leaves with {@link #flush}.
     *
     * @return false where no room is left: try again after {@link #poll}.
     */
    public boolean doorbell()
    {
        return isTaking() && sender.doorbell();
    }

    /** Completes the open datagram, so that the next {@link #poll} sends it. */
    public void flush()
    {
        sender.flush();
    }

    /**
     * A datagram of the peer arrived. Whatever is in it, nothing is thrown.
     *
     * @param payloadAddress of the UDP payload, which is read during this call only.
     * @param length         of it in bytes.
     * @param ce             whether it came with congestion experienced.
     * @param sourceIpv4     of the peer, for the regions.
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
     * Sends what is due: repeats, new data, acknowledgements, hellos, probes. To be called in every duty cycle.
     *
     * @param output where datagrams leave.
     * @param nowNs  monotonic time.
     * @return how many left.
     */
    public int poll(final DatagramOutput output, final long nowNs)
    {
        int sent = connection.poll(output, nowNs);
        if (connection.isUp())
        {
            if (!sender.onTime(nowNs))
            {
                connection.lose(false);
                return sent;
            }
            sent += sender.poll(output, nowNs);
            sent += receiver.poll(output, nowNs);
            sent += connection.pollLiveness(output, nowNs);
        }
        return sent;
    }

    /**
     * Where the connection stands.
     *
     * @return its state.
     */
    public SessionState state()
    {
        return connection.state();
    }

    /**
     * Writes that were taken and are not acknowledged.
     *
     * @return 0 or more.
     */
    public long pendingWrites()
    {
        return sender.pendingWrites();
    }

    /**
     * What was counted since the session was made.
     *
     * @param counter which.
     * @return the count.
     */
    public long counter(final SessionCounter counter)
    {
        return counts.get(counter);
    }

    /**
     * Smoothed time to the peer and back.
     *
     * @return nanoseconds, 0 before the first sample.
     */
    public long roundTripNs()
    {
        return sender.roundTripNs();
    }

    /**
     * The rate that congestion leaves.
     *
     * @return bits a second.
     */
    public double rate()
    {
        return sender.rate();
    }

    /** Gives the memory back, without a word to the peer; the session is not to be used any more. */
    @Override
    public void close()
    {
        memory.close();
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
        if (!sender.admits(header.acknowledgement()))
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
            case FibnumaKind.ERROR -> listener.onError(header.status(), header.key());
            case FibnumaKind.CLOSE -> connection.onClose(header);
            default ->
            {
                // An ACK or NAK has nothing but its header.
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

    private void requireLength(final int length)
    {
        if (length < 1 || length > maxTransfer())
        {
            throw new IllegalArgumentException(
                "a transfer of " + length + " bytes: 1 to " + maxTransfer() + " are possible");
        }
    }
}
