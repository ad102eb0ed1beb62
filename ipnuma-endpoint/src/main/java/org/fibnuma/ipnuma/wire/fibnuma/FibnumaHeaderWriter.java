package org.fibnuma.ipnuma.wire.fibnuma;

import org.agrona.checksum.Crc32c;
import org.fibnuma.core.memory.FrameMemory;

/** Writes header and trailer of a fibnuma datagram, at the offsets of {@link FibnumaHeaderFlyweight}. */
public final class FibnumaHeaderWriter
{
    private long address;

    /** Sets the address of the header. */
    public FibnumaHeaderWriter wrap(final long address)
    {
        this.address = address;
        return this;
    }

    /** Writes magic, version and a {@link FibnumaKind}. */
    public FibnumaHeaderWriter start(final int kind)
    {
        putInt(FibnumaHeaderFlyweight.MAGIC_OFFSET,
            FibnumaHeaderFlyweight.START | kind << FibnumaHeaderFlyweight.KIND_SHIFT);
        return this;
    }

    /**
     * Sets the sessions of sender and receiver. That of the sender is never 0; that of the receiver is 0 if it is
     * unknown.
     */
    public FibnumaHeaderWriter sessions(final int source, final int destination)
    {
        putInt(FibnumaHeaderFlyweight.SOURCE_SESSION_OFFSET, source);
        putInt(FibnumaHeaderFlyweight.DESTINATION_SESSION_OFFSET, destination);
        return this;
    }

    /** Sets the epochs of sender and receiver. That of the receiver is 0 if it is unknown. */
    public FibnumaHeaderWriter epochs(final int source, final int destination)
    {
        putInt(FibnumaHeaderFlyweight.SOURCE_EPOCH_OFFSET, source);
        putInt(FibnumaHeaderFlyweight.DESTINATION_EPOCH_OFFSET, destination);
        return this;
    }

    /** Sets the sequence, 32 bits that wrap. */
    public FibnumaHeaderWriter sequence(final int sequence)
    {
        putInt(FibnumaHeaderFlyweight.SEQUENCE_OFFSET, sequence);
        return this;
    }

    /**
     * Sets the received sequences and the credits of the sender.
     *
     * @param acknowledgement next sequence that is expected.
     * @param bitmap          bit i is the sequence {@code acknowledgement + 1 + i}.
     * @param credits         datagrams accepted from the acknowledgement on, 0 to 65,535.
     * @return this.
     */
    public FibnumaHeaderWriter arrived(final int acknowledgement, final long bitmap, final int credits)
    {
        putInt(FibnumaHeaderFlyweight.ACKNOWLEDGEMENT_OFFSET, acknowledgement);
        putLong(FibnumaHeaderFlyweight.BITMAP_OFFSET, bitmap);
        putShort(FibnumaHeaderFlyweight.CREDITS_OFFSET, credits);
        return this;
    }

    /** Sets the timestamp of transmission and the latest one received, in units of 256 ns. */
    public FibnumaHeaderWriter times(final int timestamp, final int echo)
    {
        putInt(FibnumaHeaderFlyweight.TIMESTAMP_OFFSET, timestamp);
        putInt(FibnumaHeaderFlyweight.ECHO_OFFSET, echo);
        return this;
    }

    /** Sets bits of {@link FibnumaFlags} and the number of TLPs, 0 to 255. */
    public FibnumaHeaderWriter flags(final int flags, final int tlpCount)
    {
        FrameMemory.putByte(address + FibnumaHeaderFlyweight.FLAGS_OFFSET, flags);
        FrameMemory.putByte(address + FibnumaHeaderFlyweight.TLP_COUNT_OFFSET, tlpCount);
        return this;
    }

    /**
     * Sets the region of the TLPs.
     *
     * @param region 1 to 65,535, or 0 for none; in an ERROR, the number of the refused write, from 1, in the upper 16
     *               bits and the count of refused writes in the lower ones.
     * @param key    of the region; in an ERROR, the refused address.
     * @return this.
     */
    public FibnumaHeaderWriter region(final int region, final long key)
    {
        putInt(FibnumaHeaderFlyweight.REGION_OFFSET, region);
        putLong(FibnumaHeaderFlyweight.KEY_OFFSET, key);
        return this;
    }

    /**
     * Sets the length of the TLPs, and the status.
     *
     * @param tlpBytes a multiple of 4.
     * @param status   of an ERROR, otherwise the count of refused writes, of which 16 bits are written.
     * @return this.
     */
    public FibnumaHeaderWriter length(final int tlpBytes, final int status)
    {
        putShort(FibnumaHeaderFlyweight.TLP_BYTES_OFFSET, tlpBytes);
        putShort(FibnumaHeaderFlyweight.STATUS_OFFSET, status);
        return this;
    }

    /** Sets both halves of the sender's nonce in a handshake datagram. */
    public FibnumaHeaderWriter sourceNonce(final long first, final long second)
    {
        putLong(FibnumaHeaderFlyweight.SOURCE_NONCE_OFFSET, first);
        putLong(FibnumaHeaderFlyweight.SOURCE_NONCE_OFFSET + Long.BYTES, second);
        return this;
    }

    /** Sets both halves of the receiver's nonce in a handshake datagram, 0 if it is unknown. */
    public FibnumaHeaderWriter destinationNonce(final long first, final long second)
    {
        putLong(FibnumaHeaderFlyweight.DESTINATION_NONCE_OFFSET, first);
        putLong(FibnumaHeaderFlyweight.DESTINATION_NONCE_OFFSET + Long.BYTES, second);
        return this;
    }

    /** Writes the trailer: CRC-32C of header and TLPs, and the end code. Called last. */
    public void finish(final int tlpBytes)
    {
        final int covered = FibnumaHeaderFlyweight.LENGTH + tlpBytes;
        putInt(covered, Crc32c.INSTANCE.compute(address, 0, covered));
        putInt(covered + Integer.BYTES, FibnumaHeaderFlyweight.END_CODE);
    }

    private void putShort(final int offset, final int value)
    {
        FrameMemory.putShort(address + offset,
            FibnumaHeaderFlyweight.LITTLE_ENDIAN ? value : Short.reverseBytes((short)value));
    }

    private void putInt(final int offset, final int value)
    {
        FrameMemory.putInt(address + offset,
            FibnumaHeaderFlyweight.LITTLE_ENDIAN ? value : Integer.reverseBytes(value));
    }

    private void putLong(final int offset, final long value)
    {
        FrameMemory.putLong(address + offset,
            FibnumaHeaderFlyweight.LITTLE_ENDIAN ? value : Long.reverseBytes(value));
    }
}
