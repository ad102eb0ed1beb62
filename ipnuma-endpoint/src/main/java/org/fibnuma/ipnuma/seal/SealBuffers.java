package org.fibnuma.ipnuma.seal;

/**
 * Arrays through which datagrams pass to the JDK's ciphers, on which its code is fastest. The seals of a thread share
 * them, since none keeps anything there between two calls.
 */
public final class SealBuffers
{
    /** Longest datagram in bytes. */
    static final int MAX_LENGTH = 9000;

    final byte[] input = new byte[MAX_LENGTH + GcmCipher.TAG_LENGTH];
    final byte[] output = new byte[MAX_LENGTH + GcmCipher.TAG_LENGTH];
}
