package org.fibnuma.ipnuma.seal;

/**
 * Arrays through which datagrams pass to the JDK's ciphers, whose code is fastest on arrays. The seals of a thread
 * share them, since they contain nothing between two calls.
 */
public final class SealBuffers
{
    /** Longest datagram in bytes. */
    static final int MAX_LENGTH = 9000;

    final byte[] input = new byte[MAX_LENGTH + GcmCipher.TAG_LENGTH];
    final byte[] output = new byte[MAX_LENGTH + GcmCipher.TAG_LENGTH];
}
