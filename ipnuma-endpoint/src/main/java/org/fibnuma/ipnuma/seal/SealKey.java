package org.fibnuma.ipnuma.seal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** A key that two endpoints share, as the configuration of both has it: 32 or 64 hexadecimal digits. */
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
     * Reads a key.
     *
     * @param text 32 digits for AES-128, 64 for AES-256; blanks around them do not count.
     * @return the key.
     * @throws IllegalArgumentException in one line that does not repeat it.
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

    /** Bytes of it, and of the AES keys that come of it. */
    int length()
    {
        return bytes.length;
    }

    /** What handshakes of one direction are authenticated with. */
    byte[] ofHandshake(final int senderIpv4, final int receiverIpv4)
    {
        return derive(new byte[0], HANDSHAKE, senderIpv4, receiverIpv4);
    }

    /** What the keys of one direction of a connection come of: the sender's nonce is in front of the receiver's. */
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

    /** Does not show it. */
    @Override
    public String toString()
    {
        return "key of " + bytes.length * Byte.SIZE + " bits";
    }
}
