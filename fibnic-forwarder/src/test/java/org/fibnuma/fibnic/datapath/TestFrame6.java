package org.fibnuma.fibnic.datapath;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Ethernet frames with IPv6 in them as byte arrays, made without any of the code under test. Every field can be set
 * wrong on purpose.
 */
final class TestFrame6
{
    static final int HEADER = 40;
    static final int PAYLOAD = TestFrame.ETHERNET + HEADER;

    private byte[] destinationMac = TestFrame.mac("02:00:00:00:01:00");
    private int version = 6;
    private int trafficClass;
    private int flowLabel = 0x12345;
    private int payloadLength = -1;
    private int nextHeader = 17;
    private int hopLimit = 64;
    private byte[] source = ip("2001:db8:0::2");
    private byte[] destination = ip("2001:db8:1::2");
    private byte[] payload = new byte[0];
    private byte[] padding = new byte[0];

    static TestFrame6 ipv6()
    {
        return new TestFrame6();
    }

    TestFrame6 to(final String mac)
    {
        destinationMac = TestFrame.mac(mac);
        return this;
    }

    TestFrame6 version(final int value)
    {
        version = value;
        return this;
    }

    TestFrame6 trafficClass(final int value)
    {
        trafficClass = value;
        return this;
    }

    TestFrame6 flowLabel(final int value)
    {
        flowLabel = value;
        return this;
    }

    TestFrame6 payloadLength(final int value)
    {
        payloadLength = value;
        return this;
    }

    TestFrame6 nextHeader(final int value)
    {
        nextHeader = value;
        return this;
    }

    TestFrame6 hopLimit(final int value)
    {
        hopLimit = value;
        return this;
    }

    TestFrame6 source(final String value)
    {
        source = ip(value);
        return this;
    }

    TestFrame6 destination(final String value)
    {
        destination = ip(value);
        return this;
    }

    TestFrame6 payload(final int length)
    {
        payload = new byte[length];
        for (int i = 0; i < length; i++)
        {
            payload[i] = (byte)(i * 7 + 1);
        }
        return this;
    }

    TestFrame6 payload(final byte[] bytes)
    {
        payload = bytes.clone();
        return this;
    }

    TestFrame6 padding(final int length)
    {
        padding = new byte[length];
        Arrays.fill(padding, (byte)0xEE);
        return this;
    }

    byte[] bytes()
    {
        final ByteBuffer frame = ByteBuffer.allocate(PAYLOAD + payload.length + padding.length);
        frame.put(destinationMac).put(TestFrame.mac("02:00:00:00:02:00")).putShort((short)0x86DD);
        frame.putInt(version << 28 | trafficClass << 20 | flowLabel);
        frame.putShort((short)(payloadLength < 0 ? payload.length : payloadLength));
        frame.put((byte)nextHeader).put((byte)hopLimit);
        frame.put(source).put(destination).put(payload).put(padding);
        return frame.array();
    }

    /** The 16 bytes of an address. */
    static byte[] ip(final String text)
    {
        try
        {
            final byte[] address = InetAddress.getByName(text).getAddress();
            if (address.length == 16)
            {
                return address;
            }
            // Java reads an IPv4-mapped address as the IPv4 address.
            final byte[] mapped = TestFrame.hex("00000000000000000000ffff00000000");
            System.arraycopy(address, 0, mapped, 12, 4);
            return mapped;
        }
        catch (final UnknownHostException ex)
        {
            throw new IllegalArgumentException(ex);
        }
    }

    static byte[] slice(final byte[] frame, final int offset, final int length)
    {
        return Arrays.copyOfRange(frame, offset, offset + length);
    }

    static byte[] source(final byte[] frame)
    {
        return slice(frame, TestFrame.ETHERNET + 8, 16);
    }

    static byte[] destination(final byte[] frame)
    {
        return slice(frame, TestFrame.ETHERNET + 24, 16);
    }

    /** RFC 8200 section 8.1: 0 if the checksum of the ICMPv6, TCP or UDP message of a frame is correct. */
    static int checksumOf(final byte[] frame)
    {
        final int length = frame.length - PAYLOAD;
        final ByteBuffer summed = ByteBuffer.allocate(40 + length);
        summed.put(source(frame)).put(destination(frame)).putInt(length).putInt(frame[TestFrame.ETHERNET + 6] & 0xFF);
        summed.put(frame, PAYLOAD, length);
        return TestFrame.checksumOf(summed.array(), 0, summed.capacity());
    }
}
