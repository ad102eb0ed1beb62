package org.fibnuma.ipnuma.seal;

import javax.crypto.spec.SecretKeySpec;
import java.nio.charset.StandardCharsets;

/**
 * The keys of one direction of a connection. Each key is for a fixed number of counters. The secret of the next key is
 * derived from its secret, so that both ends change keys at the same counter without a message. The previous and the
 * next key are available for reordered datagrams.
 */
final class KeyChain
{
    private static final byte[] KEY = "fibnuma key".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NEXT = "fibnuma next".getBytes(StandardCharsets.US_ASCII);
    private static final String AES = "AES";

    private final int keyLength;
    private final int rangeShift;
    private byte[] nextSecret;
    private SecretKeySpec previous;
    private SecretKeySpec current;
    private SecretKeySpec next;
    private long range;

    /** Creates a chain that begins at counter 0. Each key is for {@code 1 << rangeShift} counters. */
    KeyChain(final byte[] secret, final int keyLength, final int rangeShift)
    {
        this.keyLength = keyLength;
        this.rangeShift = rangeShift;
        current = key(secret);
        nextSecret = Hkdf.expand(secret, NEXT, Hkdf.HASH_LENGTH);
        next = key(nextSecret);
    }

    /** Returns the key of a counter, or null if the counter is too far from the latest used one. */
    SecretKeySpec of(final long counter)
    {
        final long distance = (counter >>> rangeShift) - range;
        if (distance == 0)
        {
            return current;
        }
        return distance == 1 ? next : distance == -1 ? previous : null;
    }

    /** Records a counter with a key that this end or a genuine datagram has used. */
    void onUsed(final long counter)
    {
        if (counter >>> rangeShift > range)
        {
            range++;
            previous = current;
            current = next;
            nextSecret = Hkdf.expand(nextSecret, NEXT, Hkdf.HASH_LENGTH);
            next = key(nextSecret);
        }
    }

    private SecretKeySpec key(final byte[] secret)
    {
        return new SecretKeySpec(Hkdf.expand(secret, KEY, keyLength), AES);
    }
}
