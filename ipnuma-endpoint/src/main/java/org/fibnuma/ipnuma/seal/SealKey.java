package org.fibnuma.ipnuma.seal;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;

/** A key that two endpoints share, as the configuration of both has it: 32 or 64 hexadecimal digits. */
public final class SealKey
{
    private static final String MAC = "HmacSHA256";
    private static final byte[] PURPOSE = "fibnuma seal 1".getBytes(StandardCharsets.US_ASCII);
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

    /** Each direction has a key of its own, so that the two ends may use the same nonces. */
    byte[] of(final int senderIpv4, final int receiverIpv4)
    {
        try
        {
            final Mac mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(bytes, MAC));
            mac.update(PURPOSE);
            return Arrays.copyOf(
                mac.doFinal(ByteBuffer.allocate(Long.BYTES).putInt(senderIpv4).putInt(receiverIpv4).array()),
                bytes.length);
        }
        catch (final GeneralSecurityException ex)
        {
            throw new IllegalStateException("this Java has no " + MAC, ex);
        }
    }

    /** Does not show it. */
    @Override
    public String toString()
    {
        return "key of " + bytes.length * Byte.SIZE + " bits";
    }
}
