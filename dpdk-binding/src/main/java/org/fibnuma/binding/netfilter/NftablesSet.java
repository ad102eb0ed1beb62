package org.fibnuma.binding.netfilter;

import java.util.List;

/**
 * A set or map of nf_tables.
 *
 * @param flags      {@code NFT_SET_...}.
 * @param keyLength  in bytes.
 * @param objectType {@code NFT_OBJECT_...} of a map to objects, 0 of others.
 * @param statements whether its elements contain statements, such as a counter or a limit.
 * @param elements   of a map of verdicts or of a set whose keys have up to 4 bytes and which was asked for.
 */
record NftablesSet(int flags, int keyLength, int objectType, boolean statements, List<Element> elements)
{
    /**
     * Returns what makes its content different from packet to packet: it changes without a notification. Null if
     * nothing does.
     */
    String perPacket()
    {
        return statements ? "with statements" :
            (flags & NftablesLayout.NFT_SET_EVAL) != 0 ? "dynamic" :
            (flags & NftablesLayout.NFT_SET_TIMEOUT) != 0 ? "with timeouts" : null;
    }

    /** Returns whether its elements are single keys, not ranges. */
    boolean isExact()
    {
        return (flags & NftablesLayout.NFT_SET_INTERVAL) == 0 && elements.stream().noneMatch(Element::isCatchAll);
    }

    /**
     * An element.
     *
     * @param key        as {@link PacketMatch#leftAligned} returns its bytes.
     * @param isCatchAll whether it stands for all keys without an element.
     * @param verdict    null in a set without verdicts.
     */
    record Element(int key, boolean isCatchAll, Verdict verdict)
    {
    }

    /**
     * A verdict.
     *
     * @param code  {@code NF_...} or {@code NFT_...}.
     * @param chain of a jump or goto, else empty.
     */
    record Verdict(int code, String chain)
    {
    }
}
