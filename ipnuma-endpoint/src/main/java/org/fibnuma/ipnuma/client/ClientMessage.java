package org.fibnuma.ipnuma.client;

import org.fibnuma.ipnuma.table.RemoteAddress;

/**
 * The records of the two rings. A target is an address in the memory of a peer, as in a page map: PC ID in bits 63 to
 * 48, remote address below. Numbers are in native byte order. Offsets count from the first byte after Agrona's 8 bytes
 * of length and type.
 * <p>
 * The type of a request to a peer has a generation in bits 30 to 16. It is the number of losses of the connection with
 * the peer, modulo 32,768, that {@link #PEER_DOWN} or {@link #PEER_RESTARTED} has reported to this client. A request
 * with a generation other than the endpoint's belongs to an earlier connection and is not sent.
 */
public final class ClientMessage
{
    /**
     * Writes bytes: target, correlation, length, flags, the bytes. Answered unless the correlation is 0. An answered
     * write is sent at the end of the endpoint's duty cycle, without a flush.
     */
    public static final int WRITE = 1;
    /** Reads bytes: target, correlation, length. */
    public static final int READ = 2;
    /** Changes 4 or 8 bytes atomically: target, correlation, operation, width, operand, compare. */
    public static final int ATOMIC = 3;
    /** Rings the doorbell of the peer: target. */
    public static final int DOORBELL = 4;
    /** Sends everything gathered for the peer: target, correlation. Answered unless the correlation is 0. */
    public static final int FLUSH = 5;
    /** Adds a region: 0, correlation, size, access, length of name, length of allow, the two texts. */
    public static final int ADD_REGION = 6;
    /** Removes a region of this client: target with its id, correlation. */
    public static final int REMOVE_REGION = 7;
    /** Sets the key of a peer's region: target in it, correlation, key. */
    public static final int SET_KEY = 8;

    /** Answer to {@link #READ}: correlation, status, length, 0, the bytes. */
    public static final int READ_DONE = 101;
    /** Answer to {@link #ATOMIC}: correlation, status, 0, previous value. */
    public static final int ATOMIC_DONE = 102;
    /** Answer to {@link #FLUSH}, {@link #REMOVE_REGION} and {@link #SET_KEY}: correlation, status. */
    public static final int DONE = 103;
    /** Answer to {@link #ADD_REGION}: correlation, status, region id, key. */
    public static final int REGION_DONE = 104;
    /**
     * Answer to {@link #WRITE}: correlation, status, 0, 0. The status is {@link ClientStatus#OK} if the bytes are in
     * the peer's region. The answers of one peer are in the order of the writes, except for writes that were not sent.
     */
    public static final int WRITE_DONE = 105;
    /** A peer can be reached: PC ID. */
    public static final int PEER_UP = 110;
    /**
     * A peer cannot be reached: PC ID, 0, generation, number of lost writes of all clients. Requests without this
     * generation are not sent any more. Writes without correlation and doorbells are reported as {@link #PEER_ERROR}.
     * Reads, atomics and flushes are answered with {@link ClientStatus#UNANSWERED}, other writes with {@link
     * ClientStatus#NOT_SENT}. This event is never lost.
     */
    public static final int PEER_DOWN = 111;
    /** The peer has restarted. Everything stated for {@link #PEER_DOWN} applies too. */
    public static final int PEER_RESTARTED = 112;
    /** A peer has sent a doorbell: PC ID. */
    public static final int PEER_DOORBELL = 113;
    /** A peer has refused an access, possibly of another client: PC ID, status, 0, remote address. */
    public static final int PEER_ERROR = 114;

    /** 8 bytes of every request: target. */
    public static final int TARGET_OFFSET = 0;
    /** 8 bytes of every request: correlation, which the answer returns. */
    public static final int CORRELATION_OFFSET = TARGET_OFFSET + Long.BYTES;
    /** 4 bytes of WRITE and READ: number of bytes to write or read. */
    public static final int LENGTH_OFFSET = CORRELATION_OFFSET + Long.BYTES;
    /** 4 bytes of WRITE: {@link #ORDERED} and {@link #THEN_FLUSH}, or 0. */
    public static final int FLAGS_OFFSET = LENGTH_OFFSET + Integer.BYTES;
    /** First byte to write, in WRITE. */
    public static final int DATA_OFFSET = FLAGS_OFFSET + Integer.BYTES;
    /** 4 bytes of ATOMIC: operation, fetch and add 1, swap 2, compare and swap 3. */
    public static final int OPERATION_OFFSET = CORRELATION_OFFSET + Long.BYTES;
    /** 4 bytes of ATOMIC: number of bytes to change, 4 or 8. */
    public static final int WIDTH_OFFSET = OPERATION_OFFSET + Integer.BYTES;
    /** 8 bytes of ATOMIC: value to add or to store. */
    public static final int OPERAND_OFFSET = WIDTH_OFFSET + Integer.BYTES;
    /** 8 bytes of ATOMIC: expected value of compare and swap. */
    public static final int COMPARE_OFFSET = OPERAND_OFFSET + Long.BYTES;
    /** Length of ATOMIC in bytes. */
    public static final int ATOMIC_LENGTH = COMPARE_OFFSET + Long.BYTES;
    /** 8 bytes of ADD_REGION: size of the region in bytes. */
    public static final int REGION_SIZE_OFFSET = CORRELATION_OFFSET + Long.BYTES;
    /** 4 bytes of ADD_REGION: permitted access, a sum of write 1, read 2 and atomic 4. */
    public static final int ACCESS_OFFSET = REGION_SIZE_OFFSET + Long.BYTES;
    /** 4 bytes of ADD_REGION: length of the name in bytes. */
    public static final int NAME_LENGTH_OFFSET = ACCESS_OFFSET + Integer.BYTES;
    /** 4 bytes of ADD_REGION: length of the list of prefixes in bytes. */
    public static final int ALLOW_LENGTH_OFFSET = NAME_LENGTH_OFFSET + Integer.BYTES;
    /** Name, then the prefixes that may access it, such as {@code 10.9.0.0/24,10.9.1.1}; ASCII. */
    public static final int TEXT_OFFSET = ALLOW_LENGTH_OFFSET + Integer.BYTES;
    /** 8 bytes of SET_KEY: key of the region. */
    public static final int KEY_OFFSET = CORRELATION_OFFSET + Long.BYTES;
    /** Length of the shortest request in bytes. */
    public static final int MIN_REQUEST_LENGTH = CORRELATION_OFFSET + Long.BYTES;

    /** 8 bytes of every answer: correlation, or PC ID. */
    public static final int ANSWER_CORRELATION_OFFSET = 0;
    /** 4 bytes of every answer: status, see {@link ClientStatus}. */
    public static final int ANSWER_STATUS_OFFSET = ANSWER_CORRELATION_OFFSET + Long.BYTES;
    /** 4 bytes of every answer, by its type: number of bytes read, id of the added region, generation, or 0. */
    public static final int ANSWER_LENGTH_OFFSET = ANSWER_STATUS_OFFSET + Integer.BYTES;
    /** 8 bytes of every answer, by its type: key, previous value, remote address, number of lost writes, or 0. */
    public static final int ANSWER_VALUE_OFFSET = ANSWER_LENGTH_OFFSET + Integer.BYTES;
    /** First byte read, in READ_DONE. */
    public static final int ANSWER_DATA_OFFSET = ANSWER_VALUE_OFFSET + Long.BYTES;

    /** Flag of WRITE: takes effect after everything sent before to this peer. */
    public static final int ORDERED = 1;
    /** Flag of WRITE: sends the write at once, as a FLUSH after it does. */
    public static final int THEN_FLUSH = 2;

    /** Maximum bytes of one WRITE or READ. They fit into one datagram of any format. */
    public static final int MAX_DATA_LENGTH = 1024;

    private static final int GENERATION_SHIFT = 16;
    private static final int GENERATION_MASK = 0x7FFF;
    private static final int TYPE_MASK = 0xFFFF;

    private ClientMessage()
    {
    }

    /**
     * Returns a target, given a PC ID of 1 to 65,535, a region id of 0 to 65,535 and an offset in the region of 32
     * bits.
     */
    public static long target(final int peerId, final int regionId, final long offset)
    {
        return (long)peerId << RemoteAddress.BITS | RemoteAddress.of(regionId, offset);
    }

    /** Returns the type of a record, given a request from {@link #WRITE} to {@link #FLUSH} and a generation. */
    public static int requestType(final int type, final int generation)
    {
        return type | generation << GENERATION_SHIFT;
    }

    /** Returns the request, such as {@link #WRITE}, from the type of a record. */
    public static int type(final int requestType)
    {
        return requestType & TYPE_MASK;
    }

    /** Returns the generation, 0 to 32,767, from the type of a record. */
    public static int generation(final int requestType)
    {
        return requestType >>> GENERATION_SHIFT & GENERATION_MASK;
    }

    /** Returns the generation after another loss of the connection, 0 to 32,767. */
    public static int nextGeneration(final int generation)
    {
        return generation + 1 & GENERATION_MASK;
    }

    /** Returns the PC ID of a target. */
    public static int peerId(final long target)
    {
        return (int)(target >>> RemoteAddress.BITS);
    }

    /** Returns the remote address of a target. */
    public static long remoteAddress(final long target)
    {
        return target & RemoteAddress.MASK;
    }
}
