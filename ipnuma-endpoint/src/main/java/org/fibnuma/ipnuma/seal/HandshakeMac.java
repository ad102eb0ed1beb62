package org.fibnuma.ipnuma.seal;

import org.fibnuma.core.memory.FrameMemory;

import javax.crypto.Mac;
import javax.crypto.ShortBufferException;
import java.security.MessageDigest;

/**
 * Authenticates datagrams outside a connection in one direction. The authentication tag is the first {@value #LENGTH}
 * bytes of HMAC-SHA-256 over the whole datagram, with a key derived from the shared key. Used by one thread.
 */
final class HandshakeMac
{
    static final int LENGTH = 16;

    private final Mac mac;
    private final byte[] covered;
    private final byte[] full = new byte[Hkdf.HASH_LENGTH];
    private final byte[] claimed = new byte[Hkdf.HASH_LENGTH];

    HandshakeMac(final byte[] key, final SealBuffers buffers)
    {
        mac = Hkdf.hmac(key);
        covered = buffers.input;
    }

    void write(final long address, final int length, final long tag)
    {
        compute(address, length);
        FrameMemory.putBytes(tag, full, 0, LENGTH);
    }

    /**
     * Returns whether the authentication tag matches, in a time that is independent of the number of matching bytes.
     */
    boolean isRight(final long address, final int length, final long tag)
    {
        compute(address, length);
        System.arraycopy(full, 0, claimed, 0, full.length);
        FrameMemory.getBytes(tag, claimed, 0, LENGTH);
        return MessageDigest.isEqual(full, claimed);
    }

    private void compute(final long address, final int length)
    {
        FrameMemory.getBytes(address, covered, 0, length);
        mac.update(covered, 0, length);
        try
        {
            mac.doFinal(full, 0);
        }
        catch (final ShortBufferException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
