package org.fibnuma.ipnuma.client;

/**
 * Records of the two rings. A target is a place in the memory of a peer, as in a page map: PC ID in bits 63 to 48,
 * remote address below. Numbers are in the machine's byte order; every offset is from the record's first byte behind
 * Agrona's 8 bytes of length and type.
 * <p>
 * The type of a request to a peer has a generation in bits 30 to 16: how often this client was told, by
 * {@link #PEER_DOWN} or {@link #PEER_RESTARTED}, that its connection with the peer was lost, modulo 32,768. A request
 * of another generation than the endpoint's was meant for a connection that is gone and is not sent.
 */
public final class ClientMessage
{
    /**
     * Stores bytes: target, correlation, length, flags, the bytes; answered unless the correlation is 0. One that is
     * answered leaves at the end of the endpoint's turn, without a flush.
     */
    public static final int WRITE = 1;
    /** Asks for bytes: target, correlation, length. */
    public static final int READ = 2;
    /** Changes 4 or 8 bytes in one step: target, correlation, operation, width, operand, compare. */
    public static final int ATOMIC = 3;
    /** Rings at the peer: target. */
    public static final int DOORBELL = 4;
    /** Lets go of what is gathered for the peer: target, correlation; answered unless that is 0. */
    public static final int FLUSH = 5;
    /** Makes a region: 0, correlation, size, access, length of name, length of allow, the two texts. */
    public static final int ADD_REGION = 6;
    /** Takes a region of this client back: target with its id, correlation. */
    public static final int REMOVE_REGION = 7;
    /** Tells the key of a peer's region: target in it, correlation, key. */
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
     * Answer to {@link #WRITE}: correlation, status, 0, 0. The status is {@link ClientStatus#OK} when the bytes are in
     * the peer's region. Those to one peer come in the order of their writes, except where one was not sent.
     */
    public static final int WRITE_DONE = 105;
    /** A peer can be reached: PC ID. */
    public static final int PEER_UP = 110;
    /**
     * A peer cannot be reached: PC ID, 0, generation, writes that the endpoint had taken, of all clients, and that did
     * not get there. Requests that do not have this generation are not sent any more: writes without correlation and
     * doorbells are told as {@link #PEER_ERROR}, reads, atomics and flushes are answered, with
     * {@link ClientStatus#UNANSWERED}; other writes are answered with {@link ClientStatus#NOT_SENT}. Never lost.
     */
    public static final int PEER_DOWN = 111;
    /** As {@link #PEER_DOWN}, and the peer has started anew. */
    public static final int PEER_RESTARTED = 112;
    /** A peer rang: PC ID. */
    public static final int PEER_DOORBELL = 113;
    /** A peer refused an access, not necessarily of this client: PC ID, status, 0, remote address. */
    public static final int PEER_ERROR = 114;

    /** 8 bytes of every request. */
    public static final int TARGET_OFFSET = 0;
    /** 8 bytes of every request: comes back with the answer. */
    public static final int CORRELATION_OFFSET = TARGET_OFFSET + Long.BYTES;
    /** 4 bytes of WRITE and READ. */
    public static final int LENGTH_OFFSET = CORRELATION_OFFSET + Long.BYTES;
    /** 4 bytes of WRITE. */
    public static final int FLAGS_OFFSET = LENGTH_OFFSET + Integer.BYTES;
    /** First byte to write. */
    public static final int DATA_OFFSET = FLAGS_OFFSET + Integer.BYTES;
    /** 4 bytes of ATOMIC: fetch and add 1, swap 2, compare and swap 3. */
    public static final int OPERATION_OFFSET = CORRELATION_OFFSET + Long.BYTES;
    /** 4 bytes of ATOMIC: 4 or 8. */
    public static final int WIDTH_OFFSET = OPERATION_OFFSET + Integer.BYTES;
    /** 8 bytes of ATOMIC. */
    public static final int OPERAND_OFFSET = WIDTH_OFFSET + Integer.BYTES;
    /** 8 bytes of ATOMIC. */
    public static final int COMPARE_OFFSET = OPERAND_OFFSET + Long.BYTES;
    /** Length of ATOMIC. */
    public static final int ATOMIC_LENGTH = COMPARE_OFFSET + Long.BYTES;
    /** 8 bytes of ADD_REGION. */
    public static final int REGION_SIZE_OFFSET = CORRELATION_OFFSET + Long.BYTES;
    /** 4 bytes of ADD_REGION. */
    public static final int ACCESS_OFFSET = REGION_SIZE_OFFSET + Long.BYTES;
    /** 4 bytes of ADD_REGION. */
    public static final int NAME_LENGTH_OFFSET = ACCESS_OFFSET + Integer.BYTES;
    /** 4 bytes of ADD_REGION. */
    public static final int ALLOW_LENGTH_OFFSET = NAME_LENGTH_OFFSET + Integer.BYTES;
    /** Name, then the prefixes that may access it, such as {@code 10.9.0.0/24,10.9.1.1}; ASCII. */
    public static final int TEXT_OFFSET = ALLOW_LENGTH_OFFSET + Integer.BYTES;
    /** 8 bytes of SET_KEY. */
    public static final int KEY_OFFSET = CORRELATION_OFFSET + Long.BYTES;
    /** Shortest request. */
    public static final int MIN_REQUEST_LENGTH = CORRELATION_OFFSET + Long.BYTES;

    /** 8 bytes of every answer: correlation, or PC ID. */
    public static final int ANSWER_CORRELATION_OFFSET = 0;
    /** 4 bytes of every answer: {@link ClientStatus}. */
    public static final int ANSWER_STATUS_OFFSET = ANSWER_CORRELATION_OFFSET + Long.BYTES;
    /** 4 bytes of every answer: bytes read, or region id. */
    public static final int ANSWER_LENGTH_OFFSET = ANSWER_STATUS_OFFSET + Integer.BYTES;
    /** 8 bytes of every answer. */
    public static final int ANSWER_VALUE_OFFSET = ANSWER_LENGTH_OFFSET + Integer.BYTES;
    /** First byte read. */
    public static final int ANSWER_DATA_OFFSET = ANSWER_VALUE_OFFSET + Long.BYTES;

    /** Flag of WRITE: everything sent before to this peer is stored there before this is. */
    public static final int ORDERED = 1;
    /** Flag of WRITE: lets it go at once, as FLUSH after it would. */
    public static final int THEN_FLUSH = 2;

    /** Most bytes of one WRITE or READ: they fit one datagram of any format. */
    public static final int MAX_DATA_LENGTH = 1024;

    private static final int PEER_SHIFT = 48;
    private static final int GENERATION_SHIFT = 16;
    private static final int GENERATION_MASK = 0x7FFF;
    private static final int TYPE_MASK = 0xFFFF;

    private ClientMessage()
    {
    }

    /**
     * Puts a target together.
     *
     * @param peerId   PC ID, 1 to 65,535.
     * @param regionId 0 to 65,535.
     * @param offset   in the region, 0 to 2^32 - 1.
     * @return the target.
     */
    public static long target(final int peerId, final int regionId, final long offset)
    {
        return (long)peerId << PEER_SHIFT | (long)regionId << Integer.SIZE | offset & 0xFFFF_FFFFL;
    }

    /**
     * Puts the type of a request to a peer together.
     *
     * @param type       {@link #WRITE} to {@link #FLUSH}.
     * @param generation of the client's connection with the peer.
     * @return the type as it stands in the record.
     */
    public static int requestType(final int type, final int generation)
    {
        return type | generation << GENERATION_SHIFT;
    }

    /**
     * What a request is.
     *
     * @param requestType above 0.
     * @return such as {@link #WRITE}.
     */
    public static int type(final int requestType)
    {
        return requestType & TYPE_MASK;
    }

    /**
     * Generation of a request.
     *
     * @param requestType above 0.
     * @return 0 to 32,767.
     */
    public static int generation(final int requestType)
    {
        return requestType >>> GENERATION_SHIFT & GENERATION_MASK;
    }

    /**
     * The generation after another connection was lost.
     *
     * @param generation before.
     * @return 0 to 32,767.
     */
    public static int nextGeneration(final int generation)
    {
        return generation + 1 & GENERATION_MASK;
    }

    /**
     * PC ID of a target.
     *
     * @param target any.
     * @return 0 to 65,535.
     */
    public static int peerId(final long target)
    {
        return (int)(target >>> PEER_SHIFT);
    }

    /**
     * Remote address of a target.
     *
     * @param target any.
     * @return 48 bits.
     */
    public static long remoteAddress(final long target)
    {
        return target & (1L << PEER_SHIFT) - 1;
    }
}
