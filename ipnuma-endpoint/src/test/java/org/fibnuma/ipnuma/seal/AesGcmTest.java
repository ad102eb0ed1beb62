package org.fibnuma.ipnuma.seal;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class AesGcmTest
{
    private static final HexFormat HEX = HexFormat.of();
    private static final int TEXT = 1024;
    private static final int TAG = 12 * 1024;

    private final MemoryRegion memory = MemoryRegion.ofBytes(16 * 1024);

    @AfterEach
    void close()
    {
        memory.close();
    }

    /** Test cases of the submission to NIST (McGrew, Viega: The Galois/Counter Mode of Operation, appendix B). */
    @ParameterizedTest
    @CsvSource({
        "00000000000000000000000000000000, 000000000000000000000000, '', '', ''," +
            "58e2fccefa7e3061367f1d57a4e7455a",
        "00000000000000000000000000000000, 000000000000000000000000, '', 00000000000000000000000000000000," +
            "0388dace60b6a392f328c2b971b2fe78, ab6e47d42cec13bdf53a67b21257bddf",
        "feffe9928665731c6d6a8f9467308308, cafebabefacedbaddecaf888, ''," +
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72" +
            "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255," +
            "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e" +
            "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f5985," +
            "4d5c2af327cd64a62cf35abd2ba6fab4",
        "feffe9928665731c6d6a8f9467308308, cafebabefacedbaddecaf888, feedfacedeadbeeffeedfacedeadbeefabaddad2," +
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72" +
            "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39," +
            "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e" +
            "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091," +
            "5bc94fbc3221a5db94fae95ae7121a47",
        "0000000000000000000000000000000000000000000000000000000000000000, 000000000000000000000000, '', '', ''," +
            "530f8afbc74536b9a963b4f1c4cb738b",
        "0000000000000000000000000000000000000000000000000000000000000000, 000000000000000000000000, ''," +
            "00000000000000000000000000000000, cea7403d4d606b6e074ec5d3baf39d18, d0d1c8a799996bf0265b98b5d48ab919"
    })
    void shouldDoTheTestCasesOfGcm(
        final String key, final String nonce, final String associated, final String plain, final String sealed,
        final String tag)
    {
        final AesGcm gcm = new AesGcm(HEX.parseHex(key), 4096);
        final byte[] text = HEX.parseHex(plain);
        final byte[] data = HEX.parseHex(associated);
        put(data, text);
        nonce(gcm, HEX.parseHex(nonce));
        gcm.seal(memory.address(), data.length, memory.address() + TEXT, text.length, memory.address() + TAG);
        assertEquals(sealed, HEX.formatHex(get(TEXT, text.length)));
        assertEquals(tag, HEX.formatHex(get(TAG, 16)));
        assertTrue(gcm.open(
            memory.address(), data.length, memory.address() + TEXT, text.length, memory.address() + TAG));
        assertArrayEquals(text, get(TEXT, text.length));
    }

    @Test
    void shouldAgreeWithTheGcmOfTheJvm() throws Exception
    {
        final Random random = new Random(5);
        for (int i = 0; i < 2000; i++)
        {
            final byte[] key = new byte[random.nextBoolean() ? 16 : 32];
            final byte[] nonce = new byte[12];
            final byte[] data = new byte[random.nextInt(80)];
            final byte[] text = new byte[i % 100 == 0 ? 9000 : random.nextInt(300)];
            random.nextBytes(key);
            random.nextBytes(nonce);
            random.nextBytes(data);
            random.nextBytes(text);
            final Cipher jvm = Cipher.getInstance("AES/GCM/NoPadding");
            jvm.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new GCMParameterSpec(128, nonce));
            jvm.updateAAD(data);
            final byte[] expected = jvm.doFinal(text);
            final AesGcm gcm = new AesGcm(key, 9000);
            put(data, text);
            nonce(gcm, nonce);
            gcm.seal(memory.address(), data.length, memory.address() + TEXT, text.length, memory.address() + TAG);
            assertArrayEquals(Arrays.copyOf(expected, text.length), get(TEXT, text.length));
            assertArrayEquals(Arrays.copyOfRange(expected, text.length, expected.length), get(TAG, 16));
        }
    }

    @Test
    void shouldRefuseAnyChangedBitAndLeaveTheTextAlone()
    {
        final AesGcm gcm = new AesGcm(new byte[16], 4096);
        put(new byte[20], new byte[37]);
        nonce(gcm, new byte[12]);
        gcm.seal(memory.address(), 20, memory.address() + TEXT, 37, memory.address() + TAG);
        final byte[] sealed = get(TEXT, 37);
        for (int i = 0; i < (20 + 37 + 16) * 8; i++)
        {
            final int octet = i / 8;
            final long at = memory.address() + (octet < 20 ? octet : octet < 57 ? TEXT + octet - 20 : TAG + octet - 57);
            FrameMemory.putByte(at, FrameMemory.getByte(at) ^ 1 << i % 8);
            assertFalse(gcm.open(memory.address(), 20, memory.address() + TEXT, 37, memory.address() + TAG));
            FrameMemory.putByte(at, FrameMemory.getByte(at) ^ 1 << i % 8);
        }
        assertArrayEquals(sealed, get(TEXT, 37));
        assertTrue(gcm.open(memory.address(), 20, memory.address() + TEXT, 37, memory.address() + TAG));
        assertArrayEquals(new byte[37], get(TEXT, 37));
    }

    private static void nonce(final AesGcm gcm, final byte[] nonce)
    {
        final ByteBuffer buffer = ByteBuffer.wrap(nonce);
        gcm.nonce(buffer.getInt(), buffer.getLong());
    }

    private void put(final byte[] data, final byte[] text)
    {
        FrameMemory.putBytes(memory.address(), data);
        FrameMemory.putBytes(memory.address() + TEXT, text);
    }

    private byte[] get(final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        FrameMemory.getBytes(memory.address() + offset, bytes);
        return bytes;
    }
}
