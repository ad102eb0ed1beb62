package org.fibnuma.ipnuma.wire;

/**
 * One of the formats that repeat nothing: turns requests into UDP payloads and back. One instance for each peer, on
 * the endpoint's thread. What is encoded is to be no longer than {@link #writeLength} admits.
 */
public interface DatagramCodec
{
    /**
     * Whether the format carries completions, and with them reads and atomics.
     *
     * @return false where only writes can be sent.
     */
    boolean hasAnswers();

    /**
     * How much of a write the next datagram can take.
     *
     * @param remoteAddress of the first byte.
     * @param length        in bytes, 1 or more.
     * @param maxPayload    bytes of UDP payload that a datagram may have, 64 or more.
     * @return 1 to {@code length}; 0 where the format cannot name the address.
     */
    int writeLength(long remoteAddress, int length, int maxPayload);

    /**
     * A datagram with one write.
     *
     * @param payload       where the UDP payload begins.
     * @param remoteAddress of the first byte to be stored.
     * @param dataAddress   of the data.
     * @param length        in bytes, not more than {@link #writeLength} said.
     * @return bytes of UDP payload.
     */
    int encodeWrite(long payload, long remoteAddress, long dataAddress, int length);

    /**
     * A datagram with one read.
     *
     * @param payload       where the UDP payload begins.
     * @param remoteAddress of the first byte wanted.
     * @param length        in bytes, not crossing a boundary of 4 KiB.
     * @param tag           0 to 255, which the answers return.
     * @return bytes of UDP payload; 0 where the format has no answers.
     */
    int encodeRead(long payload, long remoteAddress, int length, int tag);

    /**
     * Where a TLP that the caller writes by a {@link TlpEncoder} belongs.
     *
     * @param payload where the UDP payload begins.
     * @return the address of the first byte of the TLP.
     */
    long tlpAddress(long payload);

    /**
     * Makes a datagram of a TLP that was written to {@link #tlpAddress}.
     *
     * @param payload   where the UDP payload begins.
     * @param tlpLength in bytes, a multiple of 4.
     * @return bytes of UDP payload; 0 where the format has no answers.
     */
    int wrapTlp(long payload, int tlpLength);

    /**
     * Reads a datagram that anybody may have sent. Its bytes may be changed in place.
     *
     * @param payload of its first byte.
     * @param length  in bytes, 0 or more.
     * @param sink    takes what is right.
     * @return requests and answers found, 0 or more; or a {@link TlpFault}, when nothing has been handed on.
     */
    int decode(long payload, int length, TlpSink sink);
}
