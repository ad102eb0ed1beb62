package org.fibnuma.ipnuma.wire;

/**
 * Receives the TLPs of a decoded datagram. Their data are valid during the call. The decoder has checked that the data
 * are in the datagram and that lengths are valid in PCIe, but has not checked the remote address.
 */
public interface TlpSink
{
    /**
     * Receives a memory write, or one of several parts of a write whose byte enables have gaps.
     *
     * @param remoteAddress of the first byte, 64 bits as received.
     * @param dataAddress   of the first byte to store.
     * @param length        in bytes, 0 to 4,096. A write of 0 bytes stores nothing and flushes the writes before it.
     */
    void onWrite(long remoteAddress, long dataAddress, int length);

    /**
     * Receives a memory read, which completions have to answer.
     *
     * @param remoteAddress of the first byte, 64 bits as received.
     * @param length        in bytes, 0 to 4,096. A read of 0 bytes is answered after the requests before it.
     * @param requester     for the completion, 0 to 65,535.
     * @param tag           TLP tag for the completion, 0 to 255.
     */
    void onRead(long remoteAddress, int length, int requester, int tag);

    /**
     * Receives an atomic operation, which a completion with the previous value has to answer.
     *
     * @param type          {@link TlpType#FETCH_ADD_3DW}, {@link TlpType#SWAP_3DW} or {@link TlpType#COMPARE_SWAP_3DW},
     *                      for either size of header.
     * @param remoteAddress of the first byte, 64 bits as received, a multiple of 4.
     * @param operand       to add or store, in native byte order.
     * @param compare       expected value of compare and swap; 0 for the others.
     * @param width         4 or 8 bytes.
     * @param requester     for the completion.
     * @param tag           TLP tag for the completion.
     */
    void onAtomic(int type, long remoteAddress, long operand, long compare, int width, int requester, int tag);

    /**
     * Receives a completion of a request of this endpoint.
     *
     * @param tag         TLP tag of the request.
     * @param status      from {@link CompletionStatus}, 0 to 7.
     * @param remaining   bytes in this completion and those after it, 1 to 4,096.
     * @param dataAddress of the first byte.
     * @param length      bytes in this completion, 0 without data.
     */
    void onCompletion(int tag, int status, int remaining, long dataAddress, int length);

    /**
     * Receives a request of an unsupported type that has a completion.
     *
     * @param requester for the completion.
     * @param tag       TLP tag for the completion.
     */
    void onUnsupported(int requester, int tag);
}
