package org.fibnuma.ipnuma.seal;

import javax.crypto.Cipher;
import javax.crypto.NoSuchPaddingException;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;

/**
 * The key stream of counter mode (SP 800-38D, 6.5): counter blocks of one nonce, encrypted many at a call by the JVM's
 * AES. Nothing is allocated after construction. One thread.
 */
final class AesBlocks
{
    static final int BLOCK = 16;

    private static final VarHandle WORDS =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final String TRANSFORMATION = "AES/ECB/NoPadding";

    private final Cipher cipher;
    private final byte[] counters;
    private final byte[] stream;

    /**
     * @param key       16 or 32 bytes.
     * @param maxBlocks that are asked for at once.
     */
    AesBlocks(final byte[] key, final int maxBlocks)
    {
        try
        {
            cipher = Cipher.getInstance(TRANSFORMATION);
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"));
        }
        catch (final NoSuchAlgorithmException | NoSuchPaddingException ex)
        {
            throw new IllegalStateException("this Java has no " + TRANSFORMATION, ex);
        }
        catch (final InvalidKeyException ex)
        {
            throw new IllegalArgumentException("a key of AES has 16 or 32 bytes", ex);
        }
        counters = new byte[maxBlocks * BLOCK];
        stream = new byte[maxBlocks * BLOCK];
    }

    /** Encrypts the all-zero block: GHASH's key. */
    void zero()
    {
        WORDS.set(counters, 0, 0L);
        WORDS.set(counters, Long.BYTES, 0L);
        encrypt(1);
    }

    /** Makes the stream of so many blocks from a block counter on. */
    void make(final int nonceHigh, final long nonceLow, final int firstCounter, final int blocks)
    {
        final long high = (long)nonceHigh << Integer.SIZE | nonceLow >>> Integer.SIZE;
        final long low = nonceLow << Integer.SIZE;
        for (int i = 0; i < blocks; i++)
        {
            WORDS.set(counters, i * BLOCK, high);
            WORDS.set(counters, i * BLOCK + Long.BYTES, low | firstCounter + i);
        }
        encrypt(blocks);
    }

    private void encrypt(final int blocks)
    {
        try
        {
            cipher.update(counters, 0, blocks * BLOCK, stream, 0);
        }
        catch (final ShortBufferException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    /** Eight bytes of the stream, the first in the highest bits. */
    long word(final int offset)
    {
        return (long)WORDS.get(stream, offset);
    }

    int octet(final int offset)
    {
        return stream[offset];
    }
}
