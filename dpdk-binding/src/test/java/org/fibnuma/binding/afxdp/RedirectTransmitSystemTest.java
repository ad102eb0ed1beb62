package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.binding.netdevice.PacketSocket;
import org.fibnuma.core.Require;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.fibnuma.binding.afxdp.VethPair.FAR;
import static org.fibnuma.binding.afxdp.VethPair.NEAR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Bursts that leave by a redirect, seen by the kernel of the other end, whose generic receive offload admits them. */
class RedirectTransmitSystemTest
{
    private static final int CHUNK_SIZE = 4096;
    private static final int POOL_SIZE = 1024;
    private static final PortSettings SETTINGS = new PortSettings(64, 512, 0, 64, true);
    private static final int SILENCE_MS = 200;
    private static final String REDIRECTS = "copy, native, bursts by redirect";

    private final MemoryRegion region = MemoryRegion.ofChunks(POOL_SIZE, CHUNK_SIZE);
    private final FramePool pool = new FramePool(region, CHUNK_SIZE, 0, POOL_SIZE);
    private VethPair veth;

    @BeforeEach
    void prepare() throws IOException
    {
        Require.root();
        Require.program("ip", "iproute2");
        Require.program("ethtool", "ethtool");
        veth = new VethPair(1);
        VethPair.in(FAR, "ip", "link", "set", FAR, "mtu", "3000");
        VethPair.in(NEAR, "ip", "link", "set", NEAR, "mtu", "3000");
        VethPair.in(FAR, "ethtool", "-K", FAR, "gro", "on");
    }

    @AfterEach
    void cleanUp()
    {
        region.close();
        if (veth != null)
        {
            veth.close();
        }
    }

    @Test
    void shouldSendBurstsOfEveryLengthInOrder() throws IOException
    {
        try (Port port = open();
            PacketSocket far = new PacketSocket(VethPair.namespace(FAR), FAR))
        {
            Require.that(REDIRECTS.equals(port.mode()), "needs Linux 6.3 or later");
            final long redirected = redirectedFrames();
            final List<String> sent = new ArrayList<>();
            int sequence = 0;
            for (final int count : new int[]{16, 17, 64, 256, 300})
            {
                final List<byte[]> burst = new ArrayList<>();
                for (int i = 0; i < count; i++)
                {
                    burst.add(frame(60 + (sequence * 97 + i) % 1400, sequence++));
                }
                send(port, burst);
                burst.forEach(frame -> sent.add(HexFormat.of().formatHex(frame)));
                assertEquals(POOL_SIZE - XdpSocket.fillSize(SETTINGS), pool.available());
            }

            assertEquals(sent, far.receive(SILENCE_MS).stream().map(HexFormat.of()::formatHex).toList());
            assertEquals(sent.size(), redirectedFrames() - redirected);
        }
        assertEquals(POOL_SIZE, pool.available());
    }

    @Test
    void shouldKeepTheOrderAroundFramesThatGoByTheSocket() throws IOException
    {
        try (Port port = open();
            PacketSocket far = new PacketSocket(VethPair.namespace(FAR), FAR))
        {
            final List<byte[]> burst = new ArrayList<>();
            for (int i = 0; i < 100; i++)
            {
                burst.add(frame(i % 40 == 37 ? 2500 : 60, i));
            }
            send(port, burst);

            final List<byte[]> received = far.receive(SILENCE_MS);
            assertEquals(burst.stream().map(HexFormat.of()::formatHex).toList(),
                received.stream().map(HexFormat.of()::formatHex).toList());
        }
        assertEquals(POOL_SIZE, pool.available());
    }

    @Test
    void shouldGoByTheSocketWhileTheOtherEndTakesNoRedirectedFrames() throws IOException
    {
        try (Port port = open();
            PacketSocket far = new PacketSocket(VethPair.namespace(FAR), FAR))
        {
            Require.that(REDIRECTS.equals(port.mode()), "needs Linux 6.3 or later");
            VethPair.in(FAR, "ethtool", "-K", FAR, "gro", "off");
            sendBursts(port, 20);
            assertEquals("copy, native", port.mode());
            far.receive(SILENCE_MS);

            sendBursts(port, 5);
            assertEquals(5 * 32, far.receive(SILENCE_MS).size());

            VethPair.in(FAR, "ethtool", "-K", FAR, "gro", "on");
            sendBursts(port, 20);
            assertEquals(REDIRECTS, port.mode());
            assertEquals(20 * 32, far.receive(SILENCE_MS).size());
        }
    }

    private void sendBursts(final Port port, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            final List<byte[]> burst = new ArrayList<>();
            for (int j = 0; j < 32; j++)
            {
                burst.add(frame(60, j));
            }
            send(port, burst);
        }
    }

    /** Flushes twice, since the first flush after many frames waits for more. */
    private void send(final Port port, final List<byte[]> frames)
    {
        for (final byte[] frame : frames)
        {
            final long chunk = pool.allocate();
            FrameMemory.putBytes(chunk + FramePool.HEADROOM, frame);
            assertTrue(port.txQueue(0).offer(chunk, chunk + FramePool.HEADROOM, frame.length));
        }
        port.txQueue(0).flush();
        port.txQueue(0).flush();
    }

    private Port open()
    {
        return NetworkNamespace.call(VethPair.namespace(NEAR), () -> Ports.open(
            new PortRequest(NEAR, "xdp:" + NEAR, 0, List.of(pool), SETTINGS)));
    }

    /** An experimental EtherType, so that no protocol of the kernel touches it. */
    private static byte[] frame(final int length, final int sequence)
    {
        final ByteBuffer frame = ByteBuffer.allocate(length);
        frame.putShort((short)0x0200).putInt(0x0000_0001).putShort((short)0x0200).putInt(0x0000_0002);
        frame.putShort((short)0x88B5);
        while (frame.remaining() >= Integer.BYTES)
        {
            frame.putInt(sequence * 7919 + frame.position());
        }
        return frame.array();
    }

    private static long redirectedFrames() throws IOException
    {
        final Matcher matcher = Pattern.compile("tx_queue_0_xdp_xmit: (\\d+)")
            .matcher(VethPair.in(NEAR, "ethtool", "-S", NEAR));
        assertTrue(matcher.find());
        return Long.parseLong(matcher.group(1));
    }
}
