package org.fibnuma.ipnuma.endpoint;

import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * The far end of an endpoint's link: the host 10.9.0.2 whose UDP datagrams the test writes and reads as bytes. A
 * datagram is "PORT PAYLOAD" in hexadecimal digits, from and to that port.
 */
final class TestWire implements AutoCloseable
{
    static final long MAC = 0x0200_0A09_0002L;

    private static final String ETHERNET = "02000a090001 02000a090002 0800";
    private static final int UDP_OFFSET = 34;
    private static final int PAYLOAD_OFFSET = UDP_OFFSET + 8;

    private final FramePool pool;
    private final Port port;
    private final FrameBatch batch = new FrameBatch();

    TestWire(final String device, final FramePool pool)
    {
        this.pool = pool;
        port = Ports.open(new PortRequest("wire", device, 0, List.of(pool), new PortSettings(64, 64, 0, 64, true)));
        port.start();
    }

    /** Sends a datagram of 10.9.0.2 to 10.9.0.1, without a UDP checksum. */
    void send(final String datagram)
    {
        final String number = datagram.substring(0, 4);
        final byte[] payload = bytes(datagram.substring(4));
        final int length = payload.length;
        final byte[] headers = bytes(ETHERNET + String.format(Locale.ROOT,
            "4500%04x 00004000 4011 0000 0a090002 0a090001", 28 + length) + number + number +
            String.format(Locale.ROOT, "%04x 0000", 8 + length));
        putChecksum(headers);
        final long chunk = pool.allocate();
        final long address = chunk + FramePool.HEADROOM;
        final UnsafeBuffer frame = new UnsafeBuffer(address, headers.length + length);
        frame.putBytes(0, headers);
        frame.putBytes(headers.length, payload);
        port.txQueue(0).offer(chunk, address, headers.length + length);
        port.txQueue(0).flush();
    }

    /** The UDP datagrams that came since the last call. */
    List<String> received()
    {
        final List<String> datagrams = new ArrayList<>();
        batch.clear();
        port.rxQueue(0).receive(batch);
        for (int i = 0; i < batch.size(); i++)
        {
            final byte[] frame = new byte[batch.length(i)];
            new UnsafeBuffer(batch.address(i), frame.length).getBytes(0, frame);
            pool.release(batch.handle(i));
            final String hex = HexFormat.of().formatHex(frame);
            if (hex.startsWith("0800", 24))
            {
                final String from = hex.substring(2 * UDP_OFFSET, 2 * UDP_OFFSET + 4);
                final String to = hex.substring(2 * UDP_OFFSET + 4, 2 * UDP_OFFSET + 8);
                datagrams.add((from.equals(to) ? to : from + ">" + to) + " " + hex.substring(2 * PAYLOAD_OFFSET));
            }
        }
        return datagrams;
    }

    static byte[] bytes(final String hex)
    {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static void putChecksum(final byte[] frame)
    {
        int sum = 0;
        for (int i = 14; i < UDP_OFFSET; i += 2)
        {
            sum += (frame[i] & 0xFF) << 8 | frame[i + 1] & 0xFF;
        }
        sum = (sum & 0xFFFF) + (sum >>> 16);
        frame[24] = (byte)(~sum >> 8);
        frame[25] = (byte)~sum;
    }

    @Override
    public void close()
    {
        port.close();
    }
}
