package org.fibnuma.ipnuma.session;

import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.ipnuma.session.timing.Pacer;
import org.fibnuma.ipnuma.session.timing.RetransmitTimer;
import org.fibnuma.ipnuma.session.window.ReceiveWindow;
import org.fibnuma.ipnuma.session.window.SendWindow;
import org.fibnuma.ipnuma.table.AtomicOperation;
import org.fibnuma.ipnuma.table.RegionTable;
import org.fibnuma.ipnuma.wire.ByteEnables;
import org.fibnuma.ipnuma.wire.TlpFlyweight;
import org.fibnuma.ipnuma.wire.TlpType;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaFlags;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;

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

    final int capacity;
    final SendWindow window;
    final OpenDatagram open;
    final Connection connection;
    final RetransmitTimer timer;
    final Pacer pacer;
    final Acknowledger acknowledger;
    final Refusals refusals;
    final RequestTable requests = new RequestTable();
    final AwaitedWrites awaited = new AwaitedWrites();
    final SessionCounter.Counts counts = new SessionCounter.Counts();

    private final MemoryRegion memory;
    private final SessionInput input;
    private final SessionPoll poll;
    private final long[] operands = new long[2];

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
        window = new SendWindow(memory.address(), stride, settings.firstSequence());
        open = new OpenDatagram(window, capacity);
        connection = new Connection(settings);
        timer = new RetransmitTimer(settings.minTimeoutNs(), settings.firstTimeoutNs(), settings.maxTimeoutNs(),
            settings.ackDelayNs(), settings.retryLimit());
        pacer = new Pacer(settings.congestion(), settings.lineRate());
        acknowledger = new Acknowledger(settings);
        refusals = new Refusals(settings);
        final ReceiveWindow received = new ReceiveWindow(
            memory.address() + (long)SendWindow.SLOTS * stride, stride, settings.receiveWindow());
        input = new SessionInput(this, received, settings, regions, listener, handshakes);
        poll = new SessionPoll(
            this, input, new SessionOutput(connection, window, received, acknowledger, refusals, counts), settings);
    }

    /** Wants a connection from now on: {@link #poll} sends hellos until the peer answers, again after each loss. */
    public void connect()
    {
        connection.want(true);
        if (connection.state() == SessionState.IDLE)
        {
            connection.connect();
        }
    }

    /**
     * Wants no connection any more. What was taken before goes out first; {@link SessionListener#onDown} tells the
     * end. The peer may connect again.
     */
    public void disconnect()
    {
        flush();
        connection.want(false);
        poll.disconnect();
    }

    /**
     * Ends the connection as if the network had failed, without a word to the peer, and begins another one where one is
     * wanted. After an error in the middle of a call nothing else is known of its state.
     */
    public void abort()
    {
        if (connection.isUp())
        {
            input.lose(false);
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
        if (!isTaking() || tag != 0 && awaited.isFull() ||
            !open.write(remoteAddress, key, dataAddress, length, ordered ? FibnumaFlags.ORDERED : 0))
        {
            return false;
        }
        if (tag != 0)
        {
            awaited.add(open.lastSequence(), tag, remoteAddress, length, ordered);
        }
        return true;
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
        final int answerLength =
            TlpFlyweight.LENGTH_3DW + ByteEnables.lengthDw(remoteAddress, length) * TlpFlyweight.DW;
        if (!prepareRequest(remoteAddress, key, TlpFlyweight.LENGTH_4DW, answerLength))
        {
            return false;
        }
        open.putRead(remoteAddress, length, requests.addRead(tag, length));
        return true;
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
        final boolean isCompare = operation == AtomicOperation.COMPARE_SWAP;
        final int length = TlpFlyweight.LENGTH_4DW + (isCompare ? 2 * width : width);
        if (!prepareRequest(remoteAddress, key, length, TlpFlyweight.LENGTH_3DW + width))
        {
            return false;
        }
        operands[0] = isCompare ? compare : operand;
        operands[1] = operand;
        final int type = isCompare ? TlpType.COMPARE_SWAP_4DW :
            operation == AtomicOperation.SWAP ? TlpType.SWAP_4DW : TlpType.FETCH_ADD_4DW;
        open.putAtomic(type, remoteAddress, requests.addAtomic(tag, width), operands, width);
        return true;
    }

    /**
     * Rings at the peer once everything taken before has taken effect there. Leaves with {@link #flush}.
     *
     * @return false where no room is left: try again after {@link #poll}.
     */
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
        input.onDatagram(payloadAddress, length, ce, sourceIpv4, nowNs);
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
        return poll.poll(output, nowNs);
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
        return window.pendingWrites() + open.writes();
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
        return timer.smoothedNs();
    }

    /**
     * The rate that congestion leaves.
     *
     * @return bits a second.
     */
    public double rate()
    {
        return pacer.rate();
    }

    /** Gives the memory back, without a word to the peer; the session is not to be used any more. */
    @Override
    public void close()
    {
        memory.close();
    }

    private boolean prepareRequest(
        final long remoteAddress, final long key, final int length, final int answerLength)
    {
        if (!isTaking() || !requests.hasFreeTag())
        {
            return false;
        }
        final boolean isFirst = open.beginsWith(remoteAddress, key, length, answerLength);
        if (isFirst && !requests.mayBeginDatagram() ||
            !open.prepareRequest(remoteAddress, key, length, answerLength))
        {
            return false;
        }
        if (isFirst)
        {
            requests.onDatagramBegun();
        }
        return true;
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
