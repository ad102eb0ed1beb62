package org.fibnuma.ipnuma.seal;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import java.security.GeneralSecurityException;
import java.util.Arrays;

/** HKDF with SHA-256 (RFC 5869), on the JDK's HMAC. */
final class Hkdf
{
    static final String HMAC = "HmacSHA256";
    static final int HASH_LENGTH = 32;

    private Hkdf()
    {
    }

    /** RFC 5869, section 2.2: returns the pseudorandom key of a secret. An empty salt means zeros. */
    static byte[] extract(final byte[] salt, final byte[] secret)
    {
        return hmac(salt.length == 0 ? new byte[HASH_LENGTH] : salt).doFinal(secret);
    }

    /** RFC 5869, section 2.3: returns {@code length} bytes, at most 255 hashes, for the purpose {@code info}. */
    static byte[] expand(final byte[] pseudorandomKey, final byte[] info, final int length)
    {
        final Mac mac = hmac(pseudorandomKey);
        final byte[] output = new byte[length];
        byte[] block = new byte[0];
        for (int offset = 0, i = 1; offset < length; offset += HASH_LENGTH, i++)
        {
            mac.update(block);
            mac.update(info);
            mac.update((byte)i);
            block = mac.doFinal();
            System.arraycopy(block, 0, output, offset, Math.min(HASH_LENGTH, length - offset));
        }
        Arrays.fill(block, (byte)0);
        return output;
    }

    static Mac hmac(final byte[] key)
    {
        try
        {
            final Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac;
        }
        catch (final GeneralSecurityException ex)
        {
            throw new IllegalStateException("this Java has no " + HMAC, ex);
        }
    }
}
