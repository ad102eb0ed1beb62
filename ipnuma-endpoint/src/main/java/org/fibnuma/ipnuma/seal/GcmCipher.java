package org.fibnuma.ipnuma.seal;

import org.fibnuma.core.memory.FrameMemory;

import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;

/**
 * The JDK's AES-GCM (NIST SP 800-38D) on native memory, in place, for one direction. The nonce is four zero bytes and
 * the counter in network byte order. Text and authentication tag are copied through arrays, because the JDK's code is
 * fastest on arrays. Its allocations for each message are unavoidable. Used by one thread.
 */
final class GcmCipher
{
    static final int TAG_LENGTH = 16;

    private static final String TRANSFORMATION = "AES/GCM/NoPadding";
    private static final int NONCE_LENGTH = 12;
    private static final int COUNTER_OFFSET = NONCE_LENGTH - Long.BYTES;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final Cipher cipher;
    private final byte[] nonce = new byte[NONCE_LENGTH];
    private final byte[] associated;
    private final byte[] input;
    private final byte[] output;

    GcmCipher(final int associatedLength, final SealBuffers buffers)
    {
        try
        {
            cipher = Cipher.getInstance(TRANSFORMATION);
        }
        catch (final GeneralSecurityException ex)
        {
            throw new IllegalStateException("this Java has no " + TRANSFORMATION, ex);
        }
        associated = new byte[associatedLength];
        input = buffers.input;
        output = buffers.output;
    }

    /** Encrypts the text after the associated data in place, and stores the authentication tag. */
    void seal(final SecretKeySpec key, final long counter, final long address, final int textLength, final long tag)
    {
        final long text = address + associated.length;
        try
        {
            init(Cipher.ENCRYPT_MODE, key, counter, address);
            FrameMemory.getBytes(text, input, 0, textLength);
            cipher.doFinal(input, 0, textLength, output, 0);
        }
        catch (final GeneralSecurityException ex)
        {
            throw new IllegalStateException("cannot seal " + textLength + " bytes", ex);
        }
        FrameMemory.putBytes(text, output, 0, textLength);
        FrameMemory.putBytes(tag, output, textLength, TAG_LENGTH);
    }

    /**
     * Verifies the authentication tag of associated data and text, and decrypts the text in place. Returns false and
     * modifies nothing if the tag does not match.
     */
    boolean open(final SecretKeySpec key, final long counter, final long address, final int textLength, final long tag)
    {
        final long text = address + associated.length;
        try
        {
            init(Cipher.DECRYPT_MODE, key, counter, address);
            FrameMemory.getBytes(text, input, 0, textLength);
            FrameMemory.getBytes(tag, input, textLength, TAG_LENGTH);
            cipher.doFinal(input, 0, textLength + TAG_LENGTH, output, 0);
        }
        catch (final AEADBadTagException ignore)
        {
            return false;
        }
        catch (final GeneralSecurityException ex)
        {
            throw new IllegalStateException("cannot open " + textLength + " bytes", ex);
        }
        FrameMemory.putBytes(text, output, 0, textLength);
        return true;
    }

    private void init(final int mode, final SecretKeySpec key, final long counter, final long address)
        throws GeneralSecurityException
    {
        LONGS.set(nonce, COUNTER_OFFSET, counter);
        cipher.init(mode, key, new GCMParameterSpec(TAG_LENGTH * Byte.SIZE, nonce));
        FrameMemory.getBytes(address, associated, 0, associated.length);
        cipher.updateAAD(associated);
    }
}
