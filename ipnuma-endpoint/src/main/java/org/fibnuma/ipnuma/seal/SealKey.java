package org.fibnuma.ipnuma.seal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;

/** Key that two endpoints share, from the configuration of both: 32 or 64 hexadecimal digits. */
public final class SealKey
{
    private static final byte[] HANDSHAKE = "fibnuma handshake 2".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CONNECTION = "fibnuma seal 2".getBytes(StandardCharsets.US_ASCII);
    private static final int SHORT = 16;
    private static final int LONG = 32;

    private final byte[] bytes;

    private SealKey(final byte[] bytes)
    {
        this.bytes = bytes;
    }

    /**
     * Parses a key.
     *
     * @param text 32 digits for AES-128, 64 for AES-256; surrounding blanks are ignored.
     * @throws IllegalArgumentException with a message that does not contain the key.
     */
    public static SealKey parse(final String text)
    {
        final String digits = text.strip();
        if (digits.length() != 2 * SHORT && digits.length() != 2 * LONG)
        {
            throw new IllegalArgumentException(
                "a key has 32 or 64 hexadecimal digits, not " + digits.length() + " characters");
        }
        try
        {
            return new SealKey(HexFormat.of().parseHex(digits));
        }
        catch (final IllegalArgumentException ignore)
        {
            throw new IllegalArgumentException("a key has 32 or 64 hexadecimal digits and nothing else");
        }
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof SealKey && MessageDigest.isEqual(bytes, ((SealKey)other).bytes);
    }

    @Override
    public int hashCode()
    {
        return Arrays.hashCode(bytes);
    }

    /** Returns the length in bytes of this key, and of the AES keys derived from it. */
    int length()
    {
        return bytes.length;
    }

    /** Returns the key that authenticates handshakes in one direction. */
    byte[] ofHandshake(final int senderIpv4, final int receiverIpv4)
    {
        return derive(new byte[0], HANDSHAKE, senderIpv4, receiverIpv4);
    }

    /** Returns the secret of one direction of a connection. In {@code nonces} the sender's nonce is first. */
    byte[] ofConnection(final byte[] nonces, final int senderIpv4, final int receiverIpv4)
    {
        return derive(nonces, CONNECTION, senderIpv4, receiverIpv4);
    }

    private byte[] derive(final byte[] salt, final byte[] purpose, final int senderIpv4, final int receiverIpv4)
    {
        final byte[] info = ByteBuffer.allocate(purpose.length + Long.BYTES)
            .put(purpose).putInt(senderIpv4).putInt(receiverIpv4).array();
        return Hkdf.expand(Hkdf.extract(salt, bytes), info, Hkdf.HASH_LENGTH);
    }

    /** Returns the length of the key, but not the key. */
    @Override
    public String toString()
    {
        return "key of " + bytes.length * Byte.SIZE + " bits";
    }
}
