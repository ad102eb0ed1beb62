package org.fibnuma.ipnuma.wire;

/**
 * Converts requests to UDP payloads and back, in a format without retransmission. One instance per peer, on the
 * endpoint's thread. Encoded writes must not exceed {@link #writeLength}.
 */
public interface DatagramCodec
{
    /**
     * Returns whether the format has completions and therefore reads and atomics. Otherwise only writes can be sent.
     */
    boolean hasAnswers();

    /**
     * Returns how many bytes of a write fit into the next datagram.
     *
     * @param remoteAddress of the first byte.
     * @param length        in bytes, 1 or more.
     * @param maxPayload    longest UDP payload in bytes, 64 or more.
     * @return 1 to {@code length}; 0 if the format cannot contain the address.
     */
    int writeLength(long remoteAddress, int length, int maxPayload);

    /**
     * Writes a datagram with one memory write.
     *
     * @param payload       address of the UDP payload.
     * @param remoteAddress of the first byte to be stored.
     * @param dataAddress   of the data.
     * @param length        in bytes, at most what {@link #writeLength} returned.
     * @return length of the UDP payload in bytes.
     */
    int encodeWrite(long payload, long remoteAddress, long dataAddress, int length);

    /**
     * Writes a datagram with one memory read.
     *
     * @param payload       address of the UDP payload.
     * @param remoteAddress of the first byte to be read.
     * @param length        in bytes, not crossing a boundary of 4 KiB.
     * @param tag           TLP tag, 0 to 255, which the completions return.
     * @return length of the UDP payload in bytes; 0 if the format has no completions.
     */
    int encodeRead(long payload, long remoteAddress, int length, int tag);

    /**
     * Returns the address for a TLP that the caller writes by a {@link TlpEncoder} into the UDP payload at {@code
     * payload}.
     */
    long tlpAddress(long payload);

    /**
     * Completes the datagram around a TLP that was written to {@link #tlpAddress}.
     *
     * @param payload   address of the UDP payload.
     * @param tlpLength in bytes, a multiple of 4.
     * @return length of the UDP payload in bytes; 0 if the format has no completions.
     */
    int wrapTlp(long payload, int tlpLength);

    /**
     * Decodes a datagram of an untrusted sender. May change its bytes in place.
     *
     * @param payload address of the UDP payload.
     * @param length  in bytes, 0 or more.
     * @param sink    receives the valid requests and completions.
     * @return number of requests and completions, 0 or more; or a {@link TlpFault}, and then the sink received none.
     */
    int decode(long payload, int length, TlpSink sink);
}
