package org.fibnuma.ipnuma.wire.fibnuma;

import org.agrona.checksum.Crc32c;
import org.fibnuma.core.memory.FrameMemory;

import java.nio.ByteOrder;

/**
 * Reads the header of a fibnuma datagram, the first bytes of a UDP payload; every field is little-endian. TLPs follow,
 * then a trailer of {@link #TRAILER_LENGTH} bytes: CRC-32C of header and TLPs, and the end code. Datagrams of the
 * handshake carry the two nonces in place of TLPs.
 */
public final class FibnumaHeaderFlyweight
{
    /** The bytes "FN". */
    public static final int MAGIC = 0x4E46;
    /** The version that is sent and taken; version 1 had another handshake. */
    public static final int VERSION = 2;
    /** The bytes "FEND", the last four of a datagram that is not sealed. */
    public static final int END_CODE = 0x444E4546;
    /** Nanoseconds of one step of a timestamp, as a shift. */
    public static final int TIMESTAMP_SHIFT = 8;
    /** Sequences that the bitmap covers. */
    public static final int BITMAP_BITS = Long.SIZE;

    /** Offset of the magic. */
    public static final int MAGIC_OFFSET = 0;
    /** Offset of the version. */
    public static final int VERSION_OFFSET = MAGIC_OFFSET + Short.BYTES;
    /** Offset of the kind. */
    public static final int KIND_OFFSET = VERSION_OFFSET + Byte.BYTES;
    /** Offset of the source session. */
    public static final int SOURCE_SESSION_OFFSET = KIND_OFFSET + Byte.BYTES;
    /** Offset of the destination session. */
    public static final int DESTINATION_SESSION_OFFSET = SOURCE_SESSION_OFFSET + Integer.BYTES;
    /** Offset of the source epoch. */
    public static final int SOURCE_EPOCH_OFFSET = DESTINATION_SESSION_OFFSET + Integer.BYTES;
    /** Offset of the destination epoch. */
    public static final int DESTINATION_EPOCH_OFFSET = SOURCE_EPOCH_OFFSET + Integer.BYTES;
    /** Offset of the sequence. */
    public static final int SEQUENCE_OFFSET = DESTINATION_EPOCH_OFFSET + Integer.BYTES;
    /** Offset of the acknowledgement. */
    public static final int ACKNOWLEDGEMENT_OFFSET = SEQUENCE_OFFSET + Integer.BYTES;
    /** Offset of the bitmap of what arrived behind the acknowledgement. */
    public static final int BITMAP_OFFSET = ACKNOWLEDGEMENT_OFFSET + Integer.BYTES;
    /** Offset of the timestamp. */
    public static final int TIMESTAMP_OFFSET = BITMAP_OFFSET + Long.BYTES;
    /** Offset of the echoed timestamp. */
    public static final int ECHO_OFFSET = TIMESTAMP_OFFSET + Integer.BYTES;
    /** Offset of the credits. */
    public static final int CREDITS_OFFSET = ECHO_OFFSET + Integer.BYTES;
    /** Offset of the flags. */
    public static final int FLAGS_OFFSET = CREDITS_OFFSET + Short.BYTES;
    /** Offset of the number of TLPs. */
    public static final int TLP_COUNT_OFFSET = FLAGS_OFFSET + Byte.BYTES;
    /** Offset of the region id. */
    public static final int REGION_OFFSET = TLP_COUNT_OFFSET + Byte.BYTES;
    /** Offset of the region key. */
    public static final int KEY_OFFSET = REGION_OFFSET + Integer.BYTES;
    /** Offset of the number of bytes of TLPs. */
    public static final int TLP_BYTES_OFFSET = KEY_OFFSET + Long.BYTES;
    /** Offset of the status of an error; otherwise of the count of refused writes. */
    public static final int STATUS_OFFSET = TLP_BYTES_OFFSET + Short.BYTES;
    /** Length of the header. */
    public static final int LENGTH = STATUS_OFFSET + Short.BYTES;
    /** Length of a nonce of the handshake. */
    public static final int NONCE_LENGTH = 2 * Long.BYTES;
    /** Offset of the sender's nonce in a datagram of the handshake. */
    public static final int SOURCE_NONCE_OFFSET = LENGTH;
    /** Offset of the receiver's nonce in a datagram of the handshake. */
    public static final int DESTINATION_NONCE_OFFSET = SOURCE_NONCE_OFFSET + NONCE_LENGTH;
    /** Bytes of both nonces. */
    public static final int NONCES_LENGTH = 2 * NONCE_LENGTH;
    /** Length of CRC and end code. */
    public static final int TRAILER_LENGTH = 2 * Integer.BYTES;
    /** Length of a datagram without TLPs, the shortest there is. */
    public static final int MIN_LENGTH = LENGTH + TRAILER_LENGTH;
    /** Length of every datagram of the handshake. */
    public static final int HANDSHAKE_LENGTH = MIN_LENGTH + NONCES_LENGTH;
    /** Length of the authentication tag of a sealed datagram. */
    public static final int TAG_LENGTH = 16;

    /** The first four bytes with a kind of 0. */
    static final int START = MAGIC | VERSION << 16;
    /** Where the kind stands in the first four bytes. */
    static final int KIND_SHIFT = 24;

    static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    private static final int MAGIC_MASK = 0xFFFF;
    private static final int START_MASK = 0x00FF_FFFF;

    private long address;

    /**
     * Lays this view over a header.
     *
     * @param address of its first byte.
     * @return this.
     */
    public FibnumaHeaderFlyweight wrap(final long address)
    {
        this.address = address;
        return this;
    }

    /**
     * Where the header starts.
     *
     * @return address of its first byte.
     */
    public long address()
    {
        return address;
    }

    /**
     * Whether it starts as this version does.
     *
     * @return true with the right magic and version.
     */
    public boolean isVersion2()
    {
        return (getInt(MAGIC_OFFSET) & START_MASK) == START;
    }

    /**
     * Whether it starts as a datagram of any version does.
     *
     * @return true with the right magic.
     */
    public boolean isFibnuma()
    {
        return (getInt(MAGIC_OFFSET) & MAGIC_MASK) == MAGIC;
    }

    /**
     * What the datagram is.
     *
     * @return 0 to 255, see {@link FibnumaKind}.
     */
    public int kind()
    {
        return FrameMemory.getByte(address + KIND_OFFSET) & 0xFF;
    }

    /**
     * The sender's side of the connection.
     *
     * @return never 0.
     */
    public int sourceSession()
    {
        return getInt(SOURCE_SESSION_OFFSET);
    }

    /**
     * The receiver's side of the connection.
     *
     * @return 0 where the sender does not know it.
     */
    public int destinationSession()
    {
        return getInt(DESTINATION_SESSION_OFFSET);
    }

    /**
     * Both sessions in one.
     *
     * @return as {@link #pair} makes it of source and destination.
     */
    public long sessions()
    {
        return getLong(SOURCE_SESSION_OFFSET);
    }

    /**
     * Both epochs in one.
     *
     * @return as {@link #pair} makes it of source and destination.
     */
    public long epochs()
    {
        return getLong(SOURCE_EPOCH_OFFSET);
    }

    /**
     * Two numbers as they stand one behind the other, to be compared at once.
     *
     * @param source      of the sender.
     * @param destination of the receiver.
     * @return the destination in the high half.
     */
    public static long pair(final int source, final int destination)
    {
        return source & 0xFFFF_FFFFL | (long)destination << Integer.SIZE;
    }

    /**
     * Which run of the sender's endpoint this is.
     *
     * @return a random number, drawn at every start.
     */
    public int sourceEpoch()
    {
        return getInt(SOURCE_EPOCH_OFFSET);
    }

    /**
     * Which run of the receiver's endpoint is meant.
     *
     * @return 0 where the sender does not know it.
     */
    public int destinationEpoch()
    {
        return getInt(DESTINATION_EPOCH_OFFSET);
    }

    /**
     * Number of the datagram.
     *
     * @return 32 bits that wrap; of CONFIRM and CONFIRMED the first to come, of a close the one after the last.
     */
    public int sequence()
    {
        return getInt(SEQUENCE_OFFSET);
    }

    /**
     * The next sequence that the sender waits for.
     *
     * @return every one before has taken effect.
     */
    public int acknowledgement()
    {
        return getInt(ACKNOWLEDGEMENT_OFFSET);
    }

    /**
     * What has arrived behind the acknowledgement.
     *
     * @return bit i stands for the sequence acknowledgement + 1 + i.
     */
    public long bitmap()
    {
        return getLong(BITMAP_OFFSET);
    }

    /**
     * When the datagram was sent, by the sender's clock.
     *
     * @return units of 256 ns, which wrap.
     */
    public int timestamp()
    {
        return getInt(TIMESTAMP_OFFSET);
    }

    /**
     * The latest timestamp that the sender received.
     *
     * @return units of the receiver's clock; counts with {@link FibnumaFlags#ECHO_VALID}.
     */
    public int echo()
    {
        return getInt(ECHO_OFFSET);
    }

    /**
     * Datagrams that the sender takes from the acknowledgement on.
     *
     * @return 0 to 65,535.
     */
    public int credits()
    {
        return getShort(CREDITS_OFFSET);
    }

    /**
     * Bits of {@link FibnumaFlags}.
     *
     * @return 0 to 255.
     */
    public int flags()
    {
        return FrameMemory.getByte(address + FLAGS_OFFSET) & 0xFF;
    }

    /**
     * How many TLPs follow.
     *
     * @return 0 to 255.
     */
    public int tlpCount()
    {
        return FrameMemory.getByte(address + TLP_COUNT_OFFSET) & 0xFF;
    }

    /**
     * Region that the TLPs are for.
     *
     * @return 1 to 65,535, or 0 where they are answers or there are none.
     */
    public int region()
    {
        return getInt(REGION_OFFSET);
    }

    /**
     * Key of the region; of an error, the address that was refused.
     *
     * @return 64 bits.
     */
    public long key()
    {
        return getLong(KEY_OFFSET);
    }

    /**
     * Length of all TLPs.
     *
     * @return a multiple of 4.
     */
    public int tlpBytes()
    {
        return getShort(TLP_BYTES_OFFSET);
    }

    /**
     * Why something was refused.
     *
     * @return number of an access status; in everything but an error, the handshake and a reset, the writes that the
     *         sender has refused in this connection, modulo 65,536.
     */
    public int status()
    {
        return getShort(STATUS_OFFSET);
    }

    /**
     * Whether the trailer fits header and TLPs: the end code is there and the CRC is right.
     *
     * @param tlpBytes length of the TLPs; so many bytes and the trailer are there.
     * @return false where a byte has changed on the way.
     */
    public boolean isIntact(final int tlpBytes)
    {
        final int covered = LENGTH + tlpBytes;
        return getInt(covered + Integer.BYTES) == END_CODE &&
            getInt(covered) == Crc32c.INSTANCE.compute(address, 0, covered);
    }

    private int getShort(final int offset)
    {
        final int value = FrameMemory.getShort(address + offset);
        return LITTLE_ENDIAN ? value : Short.reverseBytes((short)value) & 0xFFFF;
    }

    private int getInt(final int offset)
    {
        final int value = FrameMemory.getInt(address + offset);
        return LITTLE_ENDIAN ? value : Integer.reverseBytes(value);
    }

    long getLong(final int offset)
    {
        final long value = FrameMemory.getLong(address + offset);
        return LITTLE_ENDIAN ? value : Long.reverseBytes(value);
    }

    private void putLong(final int offset, final long value)
    {
        FrameMemory.putLong(address + offset, LITTLE_ENDIAN ? value : Long.reverseBytes(value));
    }
}
