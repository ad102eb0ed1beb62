package org.fibnuma.fibnic.datapath;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Ethernet frames with IPv4 in them as byte arrays, made and read without any of the code under test. Every field can
 * be set wrong on purpose.
 */
final class TestFrame
{
    static final int ETHERNET = 14;

    private byte[] destinationMac = mac("02:00:00:00:01:00");
    private byte[] sourceMac = mac("02:00:00:00:02:00");
    private int etherType = 0x0800;
    private int version = 4;
    private int ihl = -1;
    private int trafficClass;
    private int totalLength = -1;
    private int identification = 0x1234;
    private int flagsAndOffset;
    private int ttl = 64;
    private int protocol = 17;
    private int checksum = -1;
    private int source = ip("10.0.0.2");
    private int destination = ip("10.0.1.2");
    private byte[] options = new byte[0];
    private byte[] payload = new byte[0];
    private byte[] padding = new byte[0];

    static TestFrame ipv4()
    {
        return new TestFrame();
    }

    TestFrame to(final String mac)
    {
        destinationMac = mac(mac);
        return this;
    }

    TestFrame etherType(final int value)
    {
        etherType = value;
        return this;
    }

    TestFrame version(final int value)
    {
        version = value;
        return this;
    }

    TestFrame ihl(final int value)
    {
        ihl = value;
        return this;
    }

    TestFrame trafficClass(final int value)
    {
        trafficClass = value;
        return this;
    }

    TestFrame totalLength(final int value)
    {
        totalLength = value;
        return this;
    }

    TestFrame identification(final int value)
    {
        identification = value;
        return this;
    }

    TestFrame flagsAndOffset(final int value)
    {
        flagsAndOffset = value;
        return this;
    }

    TestFrame ttl(final int value)
    {
        ttl = value;
        return this;
    }

    TestFrame protocol(final int value)
    {
        protocol = value;
        return this;
    }

    TestFrame checksum(final int value)
    {
        checksum = value;
        return this;
    }

    TestFrame source(final String value)
    {
        source = ip(value);
        return this;
    }

    TestFrame source(final int value)
    {
        source = value;
        return this;
    }

    TestFrame destination(final String value)
    {
        destination = ip(value);
        return this;
    }

    TestFrame destination(final int value)
    {
        destination = value;
        return this;
    }

    TestFrame options(final String hex)
    {
        options = hex(hex);
        return this;
    }

    TestFrame payload(final byte[] bytes)
    {
        payload = bytes;
        return this;
    }

    TestFrame payload(final int length)
    {
        payload = new byte[length];
        for (int i = 0; i < length; i++)
        {
            payload[i] = (byte)(i * 31 + (i >> 8));
        }
        return this;
    }

    TestFrame padding(final int length)
    {
        padding = new byte[length];
        Arrays.fill(padding, (byte)0xEE);
        return this;
    }

    byte[] bytes()
    {
        final int headerLength = 20 + options.length;
        final ByteBuffer frame =
            ByteBuffer.allocate(ETHERNET + headerLength + payload.length + padding.length);
        frame.put(destinationMac).put(sourceMac).putShort((short)etherType);
        frame.put((byte)(version << 4 | (ihl < 0 ? headerLength / 4 : ihl)));
        frame.put((byte)trafficClass);
        frame.putShort((short)(totalLength < 0 ? headerLength + payload.length : totalLength));
        frame.putShort((short)identification).putShort((short)flagsAndOffset);
        frame.put((byte)ttl).put((byte)protocol).putShort((short)0);
        frame.putInt(source).putInt(destination).put(options).put(payload).put(padding);
        final int sum = checksum < 0 ? checksumOf(frame.array(), ETHERNET, headerLength) : checksum;
        frame.putShort(ETHERNET + 10, (short)sum);
        return frame.array();
    }

    static byte[] mac(final String text)
    {
        return hex(text.replace(":", ""));
    }

    static byte[] hex(final String text)
    {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    static int ip(final String text)
    {
        final String[] parts = text.split("\\.");
        return Integer.parseInt(parts[0]) << 24 | Integer.parseInt(parts[1]) << 16 |
            Integer.parseInt(parts[2]) << 8 | Integer.parseInt(parts[3]);
    }

    static int u8(final byte[] frame, final int offset)
    {
        return frame[offset] & 0xFF;
    }

    static int u16(final byte[] frame, final int offset)
    {
        return u8(frame, offset) << 8 | u8(frame, offset + 1);
    }

    static int s32(final byte[] frame, final int offset)
    {
        return u16(frame, offset) << 16 | u16(frame, offset + 2);
    }

    /** RFC 1071 word by word, the end-around carry taken after each addition. */
    static int checksumOf(final byte[] bytes, final int offset, final int length)
    {
        int sum = 0;
        for (int i = 0; i < length; i += 2)
        {
            sum += u8(bytes, offset + i) << 8 | (i + 1 < length ? u8(bytes, offset + i + 1) : 0);
            if (sum > 0xFFFF)
            {
                sum -= 0xFFFF;
            }
        }
        return ~sum & 0xFFFF;
    }
}
