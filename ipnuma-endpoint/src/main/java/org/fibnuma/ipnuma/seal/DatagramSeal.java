package org.fibnuma.ipnuma.seal;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaFlags;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaHeaderFlyweight;
import org.fibnuma.ipnuma.wire.fibnuma.FibnumaKind;

import javax.crypto.spec.SecretKeySpec;
import java.nio.ByteOrder;

/**
 * Seals and opens the datagrams to and from one peer in place. A counter and an authentication tag follow a sealed
 * datagram.
 * <p>
 * Handshake datagrams and RESETs are authenticated by the shared key and not encrypted. All others are sealed with keys
 * of their connection, which are derived from the shared key and both nonces of the handshake. Their first {@value
 * #ASSOCIATED_LENGTH} bytes are authenticated only; region, key, TLPs and end code are also encrypted. The counter of a
 * direction begins at 1 with each connection and is the nonce. A key is used for at most 2^31 counters.
 * <p>
 * Used by one thread. Before the first connection a seal has no cipher. The JDK's cipher allocates about a kilobyte for
 * each datagram.
 */
public final class DatagramSeal
{
    /** Bytes that sealing adds: the counter and the authentication tag. */
    public static final int OVERHEAD = Long.BYTES + GcmCipher.TAG_LENGTH;
    /** Number of leading bytes that are not encrypted. */
    public static final int ASSOCIATED_LENGTH = FibnumaHeaderFlyweight.REGION_OFFSET;

    /** Result of {@link #open}: the datagram is too short, or not sealed. */
    public static final int NOT_SEALED = -1;
    /** Result of {@link #open}: the counter was received before, or is below the replay window. */
    public static final int REPLAYED = -2;
    /** Result of {@link #open}: the datagram is not from the peer, or was changed in transit. */
    public static final int FORGED = -3;
    /** Result of {@link #open}: the datagram belongs to another connection than the current one. */
    public static final int OTHER_CONNECTION = -4;

    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    private static final int MIN_LENGTH = FibnumaHeaderFlyweight.MIN_LENGTH + OVERHEAD;
    private static final int MAX_LENGTH = SealBuffers.MAX_LENGTH;
    /** Far below the 2^32 datagrams that SP 800-38D, section 8.3, allows for a key with any nonces. */
    private static final int RANGE_SHIFT = 31;

    private final SealKey key;
    private final int localIpv4;
    private final int peerIpv4;
    private final int rangeShift;
    private final SealBuffers buffers;
    private final HandshakeMac sentMac;
    private final HandshakeMac receivedMac;
    /** Like the fields of the connection, null before the first connection. */
    private GcmCipher sealing;
    private GcmCipher opening;
    private final FibnumaHeaderFlyweight header = new FibnumaHeaderFlyweight();
    private KeyChain sending;
    private KeyChain receiving;
    private ReplayWindow replays;
    /** Both sessions, in the order of the peer's datagrams. */
    private long sessions;
    private long counter;

    /**
     * Creates a seal without a connection.
     *
     * @param key       shared with the peer.
     * @param localIpv4 of this endpoint, as in the peer's configuration.
     * @param peerIpv4  of the peer, as in the peer's configuration.
     * @param buffers   of the thread.
     */
    public DatagramSeal(final SealKey key, final int localIpv4, final int peerIpv4, final SealBuffers buffers)
    {
        this(key, localIpv4, peerIpv4, RANGE_SHIFT, buffers);
    }

    /** Creates a seal without a connection, with separate buffers. */
    public DatagramSeal(final SealKey key, final int localIpv4, final int peerIpv4)
    {
        this(key, localIpv4, peerIpv4, RANGE_SHIFT);
    }

    DatagramSeal(final SealKey key, final int localIpv4, final int peerIpv4, final int rangeShift)
    {
        this(key, localIpv4, peerIpv4, rangeShift, new SealBuffers());
    }

    private DatagramSeal(
        final SealKey key,
        final int localIpv4,
        final int peerIpv4,
        final int rangeShift,
        final SealBuffers buffers)
    {
        this.buffers = buffers;
        this.key = key;
        this.localIpv4 = localIpv4;
        this.peerIpv4 = peerIpv4;
        this.rangeShift = rangeShift;
        sentMac = new HandshakeMac(key.ofHandshake(localIpv4, peerIpv4), buffers);
        receivedMac = new HandshakeMac(key.ofHandshake(peerIpv4, localIpv4), buffers);
    }

    /**
     * Derives the keys of a connection, which replace those of the previous connection.
     *
     * @param handshake the peer's CONFIRM or CONFIRMED. Its source session and nonce are the peer's, those of the
     *                  destination are this side's. Never twice with the same pair of nonces.
     */
    public void onConnection(final FibnumaHeaderFlyweight handshake)
    {
        final byte[] nonces = new byte[FibnumaHeaderFlyweight.NONCES_LENGTH];
        final int half = FibnumaHeaderFlyweight.NONCE_LENGTH;
        final long source = handshake.address() + FibnumaHeaderFlyweight.SOURCE_NONCE_OFFSET;
        final long destination = handshake.address() + FibnumaHeaderFlyweight.DESTINATION_NONCE_OFFSET;
        FrameMemory.getBytes(source, nonces, 0, half);
        FrameMemory.getBytes(destination, nonces, half, half);
        receiving = new KeyChain(key.ofConnection(nonces, peerIpv4, localIpv4), key.length(), rangeShift);
        FrameMemory.getBytes(destination, nonces, 0, half);
        FrameMemory.getBytes(source, nonces, half, half);
        sending = new KeyChain(key.ofConnection(nonces, localIpv4, peerIpv4), key.length(), rangeShift);
        replays = new ReplayWindow();
        if (sealing == null)
        {
            sealing = new GcmCipher(ASSOCIATED_LENGTH, buffers);
            opening = new GcmCipher(ASSOCIATED_LENGTH, buffers);
        }
        sessions = handshake.sessions();
        counter = 0;
    }

    /**
     * Seals a datagram.
     *
     * @param address of its header.
     * @param length  in bytes, with its end code; {@link #OVERHEAD} bytes of space follow.
     * @return its new length in bytes.
     */
    public int seal(final long address, final int length)
    {
        final long flags = address + FibnumaHeaderFlyweight.FLAGS_OFFSET;
        FrameMemory.putByte(flags, FrameMemory.getByte(flags) | FibnumaFlags.SEALED);
        final long behind = address + length;
        if (isOutsideConnections(header.wrap(address).kind()))
        {
            putLong(behind, 0);
            sentMac.write(address, length + Long.BYTES, behind + Long.BYTES);
        }
        else
        {
            final long number = ++counter;
            putLong(behind, number);
            sealing.seal(sending.of(number), number, address, length - ASSOCIATED_LENGTH, behind + Long.BYTES);
            sending.onUsed(number);
        }
        return length + OVERHEAD;
    }

    /**
     * Opens a datagram. A datagram that fails validation is not modified.
     *
     * @param address of its first byte.
     * @param length  in bytes, any.
     * @return its length before it was sealed, or {@link #NOT_SEALED}, {@link #REPLAYED}, {@link #FORGED}, {@link
     *         #OTHER_CONNECTION}.
     */
    public int open(final long address, final int length)
    {
        if (length > MAX_LENGTH || !isSealed(address, length))
        {
            return NOT_SEALED;
        }
        final int inner = length - OVERHEAD;
        header.wrap(address);
        if (!isOutsideConnections(header.kind()))
        {
            return openInConnection(address, inner);
        }
        if (!receivedMac.isRight(address, inner + Long.BYTES, address + inner + Long.BYTES))
        {
            return FORGED;
        }
        clearFlag(address);
        return inner;
    }

    /** Returns whether a datagram of any length has the flag of a sealed one and at least its minimum length. */
    public static boolean isSealed(final long address, final int length)
    {
        return length >= MIN_LENGTH &&
            (FrameMemory.getByte(address + FibnumaHeaderFlyweight.FLAGS_OFFSET) & FibnumaFlags.SEALED) != 0;
    }

    private int openInConnection(final long address, final int inner)
    {
        // Blind forgeries are dropped here, before a decryption.
        if (receiving == null || header.sessions() != sessions)
        {
            return OTHER_CONNECTION;
        }
        final long number = getLong(address + inner);
        if (!replays.isNew(number))
        {
            return REPLAYED;
        }
        final SecretKeySpec secret = receiving.of(number);
        if (secret == null || !opening.open(
            secret, number, address, inner - ASSOCIATED_LENGTH, address + inner + Long.BYTES))
        {
            return FORGED;
        }
        replays.record(number);
        receiving.onUsed(number);
        clearFlag(address);
        return inner;
    }

    private static boolean isOutsideConnections(final int kind)
    {
        return FibnumaKind.isHandshake(kind) || kind == FibnumaKind.RESET;
    }

    private static void clearFlag(final long address)
    {
        final long flags = address + FibnumaHeaderFlyweight.FLAGS_OFFSET;
        FrameMemory.putByte(flags, FrameMemory.getByte(flags) & ~FibnumaFlags.SEALED);
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
