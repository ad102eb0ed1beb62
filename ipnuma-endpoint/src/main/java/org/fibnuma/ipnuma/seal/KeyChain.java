package org.fibnuma.ipnuma.seal;

import javax.crypto.spec.SecretKeySpec;
import java.nio.charset.StandardCharsets;

/**
 * The keys of one direction of a connection. Each is for a range of counters of the same length; the next one comes of
 * the secret that the last came of, so that both ends change at the same counter without a word. The keys before and
 * behind the current one are kept, for datagrams that the network reordered.
 */
final class KeyChain
{
    private static final byte[] KEY = "fibnuma key".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NEXT = "fibnuma next".getBytes(StandardCharsets.US_ASCII);
    private static final String AES = "AES";

    private final int keyLength;
    private final int rangeShift;
    /** What the next key comes of. */
    private byte[] nextSecret;
    private SecretKeySpec previous;
    private SecretKeySpec current;
    private SecretKeySpec next;
    private long range;

    /** Begins at counter 0 with a secret; each key serves {@code 1 << rangeShift} counters. */
    KeyChain(final byte[] secret, final int keyLength, final int rangeShift)
    {
        this.keyLength = keyLength;
        this.rangeShift = rangeShift;
        current = key(secret);
        nextSecret = Hkdf.expand(secret, NEXT, Hkdf.HASH_LENGTH);
        next = key(nextSecret);
    }

    /** The key of a counter, or null where that is too far from the latest taken. */
    SecretKeySpec of(final long counter)
    {
        final long distance = (counter >>> rangeShift) - range;
        if (distance == 0)
        {
            return current;
        }
        return distance == 1 ? next : distance == -1 ? previous : null;
    }

    /** A counter that has a key was used by this end, or by a genuine datagram. */
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
