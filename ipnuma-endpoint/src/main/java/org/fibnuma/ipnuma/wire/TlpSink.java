package org.fibnuma.ipnuma.wire;

/**
 * Takes what a decoder has found in a datagram, while the datagram is there. The decoder has proved that the bytes it
 * names lie in the datagram and that lengths are what PCIe admits; whether the address is anybody's is not its affair.
 */
public interface TlpSink
{
    /**
     * A memory write, or one of several for a write whose byte enables have gaps.
     *
     * @param remoteAddress of the first byte, 64 bits as they came.
     * @param dataAddress   of the first byte to store.
     * @param length        in bytes, 0 to 4,096; 0 for a write that stores nothing and says that what came before is
     *                      to be finished.
     */
    void onWrite(long remoteAddress, long dataAddress, int length);

    /**
     * A memory read, to be answered by completions.
     *
     * @param remoteAddress of the first byte, 64 bits as they came.
     * @param length        in bytes, 0 to 4,096; 0 for a read that only wants an answer after what came before.
     * @param requester     whom the completion names, 0 to 65,535.
     * @param tag           which the completion returns, 0 to 255.
     */
    void onRead(long remoteAddress, int length, int requester, int tag);

    /**
     * An atomic operation, to be answered by a completion with the value before.
     *
     * @param type          {@link TlpType#FETCH_ADD_3DW}, {@link TlpType#SWAP_3DW} or
     *                      {@link TlpType#COMPARE_SWAP_3DW}, whatever the size of its header.
     * @param remoteAddress of the first byte, 64 bits as they came, a multiple of 4.
     * @param operand       to add or store, as the machine reads it from memory.
     * @param compare       what must stand there for a compare and swap to store; 0 for the others.
     * @param width         4 or 8 bytes.
     * @param requester     whom the completion names.
     * @param tag           which the completion returns.
     */
    void onAtomic(int type, long remoteAddress, long operand, long compare, int width, int requester, int tag);

    /**
     * An answer to a request of ours.
     *
     * @param tag         of the request.
     * @param status      from {@link CompletionStatus}, 0 to 7.
     * @param remaining   bytes that this completion and those after it bring, 1 to 4,096.
     * @param dataAddress of the first byte.
     * @param length      bytes that this one brings, 0 without data.
     */
    void onCompletion(int tag, int status, int remaining, long dataAddress, int length);

    /**
     * A request of a type that we do not serve but that waits for an answer.
     *
     * @param requester whom the completion names.
     * @param tag       which the completion returns.
     */
    void onUnsupported(int requester, int tag);
}
