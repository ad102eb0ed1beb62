package org.fibnuma.ipnuma.wire.fibnuma;

import org.agrona.checksum.Crc32c;
import org.fibnuma.core.memory.FrameMemory;

import java.nio.ByteOrder;

/**
 * Reads the header of a fibnuma datagram, the first bytes of a UDP payload. Every field is little-endian. TLPs follow,
 * then a trailer of {@link #TRAILER_LENGTH} bytes: CRC-32C of header and TLPs, and the end code. Handshake datagrams
 * contain the two nonces in place of TLPs.
 */
public final class FibnumaHeaderFlyweight
{
    /** The bytes "FN". */
    public static final int MAGIC = 0x4E46;
    /** The version that is sent and accepted. Version 1 had another handshake. */
    public static final int VERSION = 2;
    /** The bytes "FEND", the last four of a datagram that is not sealed. */
    public static final int END_CODE = 0x444E4546;
    /** Nanoseconds of one step of a timestamp, as a shift. */
    public static final int TIMESTAMP_SHIFT = 8;

    public static final int MAGIC_OFFSET = 0;
    public static final int VERSION_OFFSET = MAGIC_OFFSET + Short.BYTES;
    public static final int KIND_OFFSET = VERSION_OFFSET + Byte.BYTES;
    public static final int SOURCE_SESSION_OFFSET = KIND_OFFSET + Byte.BYTES;
    public static final int DESTINATION_SESSION_OFFSET = SOURCE_SESSION_OFFSET + Integer.BYTES;
    public static final int SOURCE_EPOCH_OFFSET = DESTINATION_SESSION_OFFSET + Integer.BYTES;
    public static final int DESTINATION_EPOCH_OFFSET = SOURCE_EPOCH_OFFSET + Integer.BYTES;
    public static final int SEQUENCE_OFFSET = DESTINATION_EPOCH_OFFSET + Integer.BYTES;
    public static final int ACKNOWLEDGEMENT_OFFSET = SEQUENCE_OFFSET + Integer.BYTES;
    /** Offset of the bitmap of sequences that arrived after the acknowledged ones. */
    public static final int BITMAP_OFFSET = ACKNOWLEDGEMENT_OFFSET + Integer.BYTES;
    public static final int TIMESTAMP_OFFSET = BITMAP_OFFSET + Long.BYTES;
    /** Offset of the echoed timestamp. */
    public static final int ECHO_OFFSET = TIMESTAMP_OFFSET + Integer.BYTES;
    public static final int CREDITS_OFFSET = ECHO_OFFSET + Integer.BYTES;
    public static final int FLAGS_OFFSET = CREDITS_OFFSET + Short.BYTES;
    public static final int TLP_COUNT_OFFSET = FLAGS_OFFSET + Byte.BYTES;
    /** Offset of the region id. */
    public static final int REGION_OFFSET = TLP_COUNT_OFFSET + Byte.BYTES;
    /** Offset of the region key. */
    public static final int KEY_OFFSET = REGION_OFFSET + Integer.BYTES;
    public static final int TLP_BYTES_OFFSET = KEY_OFFSET + Long.BYTES;
    /** Offset of the status in an ERROR, otherwise of the count of refused writes. */
    public static final int STATUS_OFFSET = TLP_BYTES_OFFSET + Short.BYTES;
    /** Length of the header. */
    public static final int LENGTH = STATUS_OFFSET + Short.BYTES;
    public static final int NONCE_LENGTH = 2 * Long.BYTES;
    /** Offset of the sender's nonce in a handshake datagram. */
    public static final int SOURCE_NONCE_OFFSET = LENGTH;
    /** Offset of the receiver's nonce in a handshake datagram. */
    public static final int DESTINATION_NONCE_OFFSET = SOURCE_NONCE_OFFSET + NONCE_LENGTH;
    /** Length of both nonces. */
    public static final int NONCES_LENGTH = 2 * NONCE_LENGTH;
    /** Length of CRC and end code. */
    public static final int TRAILER_LENGTH = 2 * Integer.BYTES;
    /** Length of a datagram without TLPs, the shortest. */
    public static final int MIN_LENGTH = LENGTH + TRAILER_LENGTH;
    /** Length of every handshake datagram. */
    public static final int HANDSHAKE_LENGTH = MIN_LENGTH + NONCES_LENGTH;
    /** Length of the authentication tag of a sealed datagram. */
    public static final int TAG_LENGTH = 16;

    /** The first four bytes with a kind of 0. */
    static final int START = MAGIC | VERSION << 16;
    /** Position of the kind in the first four bytes. */
    static final int KIND_SHIFT = 24;

    static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    private static final int MAGIC_MASK = 0xFFFF;
    private static final int START_MASK = 0x00FF_FFFF;

    private long address;

    /** Sets the address of the header. */
    public FibnumaHeaderFlyweight wrap(final long address)
    {
        this.address = address;
        return this;
    }

    /** Returns the address of the header. */
    public long address()
    {
        return address;
    }

    /** Returns whether the header has the right magic and version. */
    public boolean isVersion2()
    {
        return (getInt(MAGIC_OFFSET) & START_MASK) == START;
    }

    /** Returns whether the header has the right magic, with any version. */
    public boolean isFibnuma()
    {
        return (getInt(MAGIC_OFFSET) & MAGIC_MASK) == MAGIC;
    }

    /** Returns the kind of the datagram, 0 to 255, see {@link FibnumaKind}. */
    public int kind()
    {
        return FrameMemory.getByte(address + KIND_OFFSET) & 0xFF;
    }

    /** Returns the sender's session, never 0. */
    public int sourceSession()
    {
        return getInt(SOURCE_SESSION_OFFSET);
    }

    /** Returns the receiver's session, 0 if it is unknown to the sender. */
    public int destinationSession()
    {
        return getInt(DESTINATION_SESSION_OFFSET);
    }

    /** Returns source and destination session as one {@link #pair}. */
    public long sessions()
    {
        return getLong(SOURCE_SESSION_OFFSET);
    }

    /** Returns source and destination epoch as one {@link #pair}. */
    public long epochs()
    {
        return getLong(SOURCE_EPOCH_OFFSET);
    }

    /** Returns two adjacent fields as one long, to be compared at once. The destination is in the high half. */
    public static long pair(final int source, final int destination)
    {
        return source & 0xFFFF_FFFFL | (long)destination << Integer.SIZE;
    }

    /** Returns the sender's epoch, a random number that each start of an endpoint draws. */
    public int sourceEpoch()
    {
        return getInt(SOURCE_EPOCH_OFFSET);
    }

    /** Returns the receiver's epoch, 0 if it is unknown to the sender. */
    public int destinationEpoch()
    {
        return getInt(DESTINATION_EPOCH_OFFSET);
    }

    /**
     * Returns the sequence of the datagram, 32 bits that wrap. In CONFIRM and CONFIRMED it is the first to be used, in
     * a CLOSE the one after the last.
     */
    public int sequence()
    {
        return getInt(SEQUENCE_OFFSET);
    }

    /** Returns the next sequence that the sender expects. All sequences before it have taken effect. */
    public int acknowledgement()
    {
        return getInt(ACKNOWLEDGEMENT_OFFSET);
    }

    /** Returns what has arrived after the acknowledgement. Bit i is the sequence acknowledgement + 1 + i. */
    public long bitmap()
    {
        return getLong(BITMAP_OFFSET);
    }

    /** Returns the sender's clock at transmission, in units of 256 ns, which wrap. */
    public int timestamp()
    {
        return getInt(TIMESTAMP_OFFSET);
    }

    /** Returns the latest timestamp that the sender received; valid with {@link FibnumaFlags#ECHO_VALID}. */
    public int echo()
    {
        return getInt(ECHO_OFFSET);
    }

    /** Returns the number of datagrams from the acknowledgement on that the sender accepts, 0 to 65,535. */
    public int credits()
    {
        return getShort(CREDITS_OFFSET);
    }

    /** Returns bits of {@link FibnumaFlags}, 0 to 255. */
    public int flags()
    {
        return FrameMemory.getByte(address + FLAGS_OFFSET) & 0xFF;
    }

    /** Returns the number of TLPs, 0 to 255. */
    public int tlpCount()
    {
        return FrameMemory.getByte(address + TLP_COUNT_OFFSET) & 0xFF;
    }

    /** Returns the region of the TLPs, 1 to 65,535, or 0 if they are completions or there are none. */
    public int region()
    {
        return getInt(REGION_OFFSET);
    }

    /** Returns the key of the region. In an ERROR it is the refused address. */
    public long key()
    {
        return getLong(KEY_OFFSET);
    }

    /** Returns the length of all TLPs in bytes, a multiple of 4. */
    public int tlpBytes()
    {
        return getShort(TLP_BYTES_OFFSET);
    }

    /**
     * Returns the access status in an ERROR. In other datagrams of a connection it is the number of writes that the
     * sender has refused in the connection, modulo 65,536. A RESET and the handshake do not use it.
     */
    public int status()
    {
        return getShort(STATUS_OFFSET);
    }

    /**
     * Returns whether the end code is correct and the CRC matches header and TLPs.
     *
     * @param tlpBytes length of the TLPs. The caller has checked that TLPs and trailer are inside the datagram.
     * @return false if bytes were changed in transit.
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
}
