package org.fibnuma.ipnuma.stream;

/**
 * Header of a slot, written by the peer only. A field of 8 bytes has the slot tag in bits 63 to 48 and a value below. A
 * field of 0 is not written yet. The three fields of the status are one store, as are those of the answer. The last
 * field of a store takes effect last.
 */
final class SlotHeader
{
    /** 8 bytes: bytes that the peer has consumed from its ring. */
    static final int CONSUMED_OFFSET = 0;
    /** 8 bytes: bytes that the peer has stored into this ring. */
    static final int WRITTEN_OFFSET = CONSUMED_OFFSET + Long.BYTES;
    /** 8 bytes: {@link #FINISHED}, {@link #RESET} and {@link #DONE}. */
    static final int ENDING_OFFSET = WRITTEN_OFFSET + Long.BYTES;
    static final int STATUS_LENGTH = ENDING_OFFSET + Long.BYTES;

    /** 8 bytes of the answer to a hello: slot of the listening program. */
    static final int ANSWER_SLOT_OFFSET = 64;
    /** 8 bytes of the answer: tag of that slot. */
    static final int ANSWER_TAG_OFFSET = ANSWER_SLOT_OFFSET + Long.BYTES;
    /** 8 bytes of the answer: slot tag with {@link #ACCEPTED} or the reason of a refusal. */
    static final int ANSWER_OFFSET = ANSWER_TAG_OFFSET + Long.BYTES;
    static final int ANSWER_LENGTH = ANSWER_OFFSET + Long.BYTES - ANSWER_SLOT_OFFSET;

    /** The peer stores no more data. */
    static final int FINISHED = 1;
    /** The peer has reset the connection. */
    static final int RESET = 2;
    /** The peer stores nothing more into this slot and reads no more data. */
    static final int DONE = 4;
    static final int ALL_ENDINGS = FINISHED | RESET | DONE;

    static final int ACCEPTED = 1;
    static final int NOT_LISTENING = 2;
    static final int BACKLOG_FULL = 3;
    static final int NO_SLOT = 4;

    static final int MAX_TAG = 0xFFFF;

    private static final int TAG_SHIFT = 48;
    private static final long VALUE_MASK = (1L << TAG_SHIFT) - 1;

    private SlotHeader()
    {
    }

    static long word(final int tag, final long value)
    {
        return (long)tag << TAG_SHIFT | value & VALUE_MASK;
    }

    static int tag(final long word)
    {
        return (int)(word >>> TAG_SHIFT);
    }

    static long value(final long word)
    {
        return word & VALUE_MASK;
    }
}
