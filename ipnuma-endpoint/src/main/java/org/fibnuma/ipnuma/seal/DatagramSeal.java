package org.fibnuma.ipnuma.seal;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaFlags;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;

import java.nio.ByteOrder;

/**
 * Seals what is sent to one peer and opens what comes from it, where it lies. The first
 * {@value #ASSOCIATED_LENGTH} bytes of a datagram stay readable and are authenticated; region, key, TLPs and end code
 * are encrypted; a counter and the tag follow.
 * <p>
 * Nonce: source session (4 bytes) and counter (8), in network order. The counter grows with every datagram, repeated
 * ones too, and begins at the time of day, so that an endpoint that starts again goes on above where it ended. One
 * thread; nothing is allocated after construction.
 */
public final class DatagramSeal
{
    /** Bytes that a sealed datagram is longer: the counter and the tag. */
    public static final int OVERHEAD = Long.BYTES + AesGcm.TAG_LENGTH;
    /** Bytes that are not encrypted. */
    public static final int ASSOCIATED_LENGTH = FibnumaHeaderFlyweight.REGION_OFFSET;

    /** {@link #open}: it is too short, or not sealed. */
    public static final int NOT_SEALED = -1;
    /** {@link #open}: it came before, or is too old to tell. */
    public static final int REPLAYED = -2;
    /** {@link #open}: it is not from the peer, or was changed under way. */
    public static final int FORGED = -3;

    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    private static final int MIN_LENGTH = FibnumaHeaderFlyweight.MIN_LENGTH + OVERHEAD;
    private static final int MAX_LENGTH = 9000;
    /** Counters of one millisecond: more than datagrams can be sent in one. */
    private static final int COUNTERS_A_MS_SHIFT = 20;

    private final AesGcm sending;
    private final AesGcm receiving;
    private final ReplayWindow replays = new ReplayWindow();
    private long counter;

    /**
     * Begins with the counters of a moment.
     *
     * @param key       shared with the peer.
     * @param localIpv4 of this endpoint, as the peer's configuration has it.
     * @param peerIpv4  of the peer, as its own configuration has it.
     * @param epochMs   of {@link System#currentTimeMillis} now; must not be before that of an earlier start.
     */
    public DatagramSeal(final SealKey key, final int localIpv4, final int peerIpv4, final long epochMs)
    {
        this.sending = new AesGcm(key.of(localIpv4, peerIpv4), MAX_LENGTH);
        this.receiving = new AesGcm(key.of(peerIpv4, localIpv4), MAX_LENGTH);
        this.counter = epochMs << COUNTERS_A_MS_SHIFT;
    }

    /**
     * Seals a datagram; behind it there is room for {@link #OVERHEAD} bytes more.
     *
     * @param address of its header.
     * @param length  of it, complete with its end code.
     * @return its new length.
     */
    public int seal(final long address, final int length)
    {
        final long flags = address + FibnumaHeaderFlyweight.FLAGS_OFFSET;
        FrameMemory.putByte(flags, FrameMemory.getByte(flags) | FibnumaFlags.SEALED);
        final long number = ++counter;
        putLong(address + length, number);
        sending.nonce(sourceSession(address), number);
        sending.seal(address, ASSOCIATED_LENGTH, address + ASSOCIATED_LENGTH, length - ASSOCIATED_LENGTH,
            address + length + Long.BYTES);
        return length + OVERHEAD;
    }

    /**
     * Opens a datagram; where it is refused nothing has changed.
     *
     * @param address of its first byte.
     * @param length  of it, any.
     * @return its length before it was sealed, or {@link #NOT_SEALED}, {@link #REPLAYED}, {@link #FORGED}.
     */
    public int open(final long address, final int length)
    {
        final long flags = address + FibnumaHeaderFlyweight.FLAGS_OFFSET;
        if (length < MIN_LENGTH || length > MAX_LENGTH || (FrameMemory.getByte(flags) & FibnumaFlags.SEALED) == 0)
        {
            return NOT_SEALED;
        }
        final int inner = length - OVERHEAD;
        final long number = getLong(address + inner);
        if (!replays.isNew(number))
        {
            return REPLAYED;
        }
        receiving.nonce(sourceSession(address), number);
        if (!receiving.open(address, ASSOCIATED_LENGTH, address + ASSOCIATED_LENGTH, inner - ASSOCIATED_LENGTH,
            address + inner + Long.BYTES))
        {
            return FORGED;
        }
        replays.take(number);
        FrameMemory.putByte(flags, FrameMemory.getByte(flags) & ~FibnumaFlags.SEALED);
        return inner;
    }

    private static int sourceSession(final long address)
    {
        final int session = FrameMemory.getInt(address + FibnumaHeaderFlyweight.SOURCE_SESSION_OFFSET);
        return LITTLE_ENDIAN ? session : Integer.reverseBytes(session);
    }

    private static long getLong(final long address)
    {
        final long value = FrameMemory.getLong(address);
        return LITTLE_ENDIAN ? value : Long.reverseBytes(value);
    }

    private static void putLong(final long address, final long value)
    {
        FrameMemory.putLong(address, LITTLE_ENDIAN ? value : Long.reverseBytes(value));
    }
}
