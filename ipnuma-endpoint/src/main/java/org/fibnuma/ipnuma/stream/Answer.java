package org.fibnuma.ipnuma.stream;

import org.agrona.concurrent.UnsafeBuffer;

/** The answer to a hello, stored step by step into the slot header of the connecting program. */
final class Answer
{
    private final int slot;
    private final UnsafeBuffer record = new UnsafeBuffer(new byte[SlotHeader.ANSWER_LENGTH]);
    private int step;

    /**
     * Creates an answer.
     *
     * @param slot    of the connecting program.
     * @param tag     of that slot.
     * @param status  {@link SlotHeader#ACCEPTED}, or the reason of a refusal.
     * @param ownSlot of the listening program, 0 without a connection.
     * @param ownTag  of that slot.
     */
    Answer(final int slot, final int tag, final int status, final int ownSlot, final int ownTag)
    {
        this.slot = slot;
        record.putLong(0, ownSlot);
        record.putLong(SlotHeader.ANSWER_TAG_OFFSET - SlotHeader.ANSWER_SLOT_OFFSET, ownTag);
        record.putLong(SlotHeader.ANSWER_OFFSET - SlotHeader.ANSWER_SLOT_OFFSET, SlotHeader.word(tag, status));
    }

    /** Continues to store the answer. Returns false if this has to be called again. */
    boolean send(final Link link)
    {
        if (step == 0 && link.store(link.layout().header(slot) + SlotHeader.ANSWER_SLOT_OFFSET, record, 0,
            SlotHeader.ANSWER_LENGTH))
        {
            step++;
        }
        if (step == 1 && link.storeReady(slot))
        {
            step++;
        }
        return step == 2 && link.storeSummary(slot / StreamLayout.GROUP + 1);
    }
}
