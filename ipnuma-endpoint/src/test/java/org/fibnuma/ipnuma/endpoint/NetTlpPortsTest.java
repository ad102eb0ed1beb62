package org.fibnuma.ipnuma.endpoint;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.channel.PeerChannel;
import org.fibnuma.ipnuma.fate.DropReason;
import org.fibnuma.ipnuma.table.AccessStatus;
import org.fibnuma.ipnuma.table.Peer;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RemoteAddress;
import org.fibnuma.ipnuma.wire.WireFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * UDP ports of NetTLP byte by byte, as libtlp.h (enum dma_direction) has them: 0x3000 + tag where LibTLP asks an
 * adapter, 0x4000 + (tag & 15) where an adapter asks LibTLP's pseudo memory; an answer has the ports of its request.
 */
class NetTlpPortsTest
{
    private static final long BOX = RemoteAddress.of(TestEndpoint.REGION_ID, 0);

    private final String link = TestEndpoint.newLink();
    private final MemoryRegion frames = TestEndpoint.frames();
    private final List<String> events = new ArrayList<>();
    private TestEndpoint endpoint;
    private TestWire wire;
    private long time;

    @AfterEach
    void close()
    {
        endpoint.close();
        wire.close();
        frames.close();
    }

    @Test
    void shouldAnswerLibTlpOnThePortOfItsWholeTag()
    {
        open(WireFormat.NETTLP);
        FrameMemory.putInt(endpoint.memory(), 0x04030201);
        // dma_read -t 16 and -t 255 of 4 bytes at 5_0000_0000 with requester 1A00.
        wire.send("3010 0000 00000000 20 00 0001 1a00 10 0f 00000005 00000000");
        wire.send("30ff 0000 00000000 20 00 0001 1a00 ff 0f 00000005 00000000");
        assertEquals(List.of(
            "3010 0000000000004a00000100000004" + "1a001000" + "01020304",
            "30ff 0001000000004a00000100000004" + "1a00ff00" + "01020304"), turn());
    }

    @Test
    void shouldAnswerAnAdapterOnThePortOfTheLowTagBits()
    {
        open(WireFormat.NETTLP);
        FrameMemory.putInt(endpoint.memory(), 0x04030201);
        wire.send("4003 0000 00000000 20 00 0001 1a00 13 0f 00000005 00000000");
        assertEquals(List.of("4003 0000000000004a00000100000004" + "1a001300" + "01020304"), turn());
    }

    @Test
    void shouldDropWhatComesToOtherPorts()
    {
        open(WireFormat.NETTLP);
        for (final String port : List.of("2fff", "3100", "4010", "0d5e"))
        {
            wire.send(port + "0000 00000000 20 00 0001 1a00 00 0f 00000005 00000000");
        }
        assertEquals(List.of(), turn());
        assertEquals(4, endpoint.agent().counters().get(DropReason.OTHER_PORT));
    }

    @Test
    void shouldAskAnAdapterAsLibTlpDoes()
    {
        open(WireFormat.NETTLP);
        final List<String> sent = readSeventeenTimes();
        assertEquals("3000 000000000000" + "20000001" + "0000000f" + "0000000500000010", sent.get(0));
        assertEquals("300f 000f00000000" + "20000001" + "00000f0f" + "0000000500000010", sent.get(15));
        assertEquals("3010 001000000000" + "20000001" + "0000100f" + "0000000500000010", sent.get(16));
        wire.send("3010 0000 00000000 4a 00 0001 1a00 0004 0000 10 10 2a000000");
        turn();
        assertEquals("read 16: 42 ok", events.get(events.size() - 1));
    }

    @Test
    void shouldReadAcrossAPageByTwoRequests()
    {
        open(WireFormat.NETTLP);
        assertTrue(endpoint.agent().channel(2).read(BOX + 0xFFE, Region.NO_KEY, 4, 7));
        endpoint.agent().channel(2).flush();
        assertEquals(List.of(
            "3000 000000000000" + "20000001" + "0000000c" + "0000000500000ffc",
            "3001 000100000000" + "20000001" + "00000103" + "0000000500001000"), turn());
        // The second answer first.
        wire.send("3001 0000 00000000 4a 00 0001 1a00 0002 0000 01 00 33440000");
        turn();
        assertEquals(List.of(), events);
        wire.send("3000 0000 00000000 4a 00 0001 1a00 0002 0000 00 7e 00001122");
        turn();
        assertEquals(List.of("read 7: " + 0x44332211 + " ok"), events);
        assertSlotsAreFree();
    }

    @Test
    void shouldRefuseAReadAcrossAPageOfWhichOnePartIsRefused()
    {
        open(WireFormat.NETTLP);
        assertTrue(endpoint.agent().channel(2).read(BOX + 0xFFE, Region.NO_KEY, 4, 7));
        endpoint.agent().channel(2).flush();
        turn();
        wire.send("3000 0000 00000000 4a 00 0001 1a00 0002 0000 00 7e 00001122");
        // Unsupported request.
        wire.send("3001 0000 00000000 0a 00 0000 1a00 2004 0000 01 00");
        turn();
        assertEquals(List.of("read 7: 0 no access"), events);
        assertSlotsAreFree();
    }

    /** Of 16 slots, a read across a page takes two. */
    private void assertSlotsAreFree()
    {
        final PeerChannel channel = endpoint.agent().channel(2);
        for (int i = 0; i < 7; i++)
        {
            assertTrue(channel.read(BOX + 0xFFE, Region.NO_KEY, 4, 8));
        }
        assertTrue(channel.read(BOX, Region.NO_KEY, 4, 8));
        assertFalse(channel.read(BOX + 0xFFE, Region.NO_KEY, 4, 8));
        assertTrue(channel.read(BOX, Region.NO_KEY, 4, 8));
        assertFalse(channel.read(BOX, Region.NO_KEY, 4, 8));
    }

    @Test
    void shouldAskPsmemAsAnAdapterDoes()
    {
        open(WireFormat.NETTLP_PSMEM);
        final List<String> sent = readSeventeenTimes();
        assertEquals("4000 000000000000" + "20000001" + "0000000f" + "0000000500000010", sent.get(0));
        assertEquals("400f 000f00000000" + "20000001" + "00000f0f" + "0000000500000010", sent.get(15));
        assertEquals("4000 001000000000" + "20000001" + "0000100f" + "0000000500000010", sent.get(16));
        // As psmem builds it: sequence and timestamp 0, its bus number, byte count and lower address of the request.
        wire.send("4000 0000 00000000 4a 00 0001 1a00 0004 0000 10 10 2a000000");
        turn();
        assertEquals("read 16: 42 ok", events.get(events.size() - 1));
    }

    @Test
    void shouldWriteToPsmemOnTheFirstPortOfAnAdapter()
    {
        open(WireFormat.NETTLP_PSMEM);
        try (MemoryRegion data = MemoryRegion.ofBytes(64))
        {
            FrameMemory.putInt(data.address(), 0x04030201);
            final PeerChannel channel = endpoint.agent().channel(2);
            assertTrue(channel.write(BOX, Region.NO_KEY, data.address(), 4, true));
            channel.flush();
        }
        assertEquals(List.of("4000 000000000000" + "60000001" + "0000000f" + "0000000500000000" + "01020304"), turn());
    }

    /** Reads 4 bytes at offset 16 one after another; all but the last are answered. */
    private List<String> readSeventeenTimes()
    {
        final List<String> sent = new ArrayList<>();
        final PeerChannel channel = endpoint.agent().channel(2);
        for (int i = 0; i < 17; i++)
        {
            assertTrue(channel.read(BOX + 16, Region.NO_KEY, Integer.BYTES, i));
            channel.flush();
            sent.addAll(turn());
            assertEquals(i + 1, sent.size());
            if (i < 16)
            {
                final String port = sent.get(i).substring(0, 4);
                wire.send(port + String.format("000000000000 4a000001 1a000004 0000%02x10 2a000000", i));
                turn();
            }
        }
        return sent;
    }

    private void open(final WireFormat format)
    {
        final Peer peer = TestEndpoint.peer(2, format);
        peer.mac(TestWire.MAC);
        endpoint = new TestEndpoint(
            link, TestEndpoint.pool(frames, 0), 1, 0, () -> time, listener(), peer);
        wire = new TestWire(link + "@far", TestEndpoint.pool(frames, 1));
    }

    private List<String> turn()
    {
        time += 1_000;
        endpoint.agent().doWork();
        return wire.received();
    }

    private ChannelListener listener()
    {
        return new ChannelListener()
        {
            @Override
            public void onRead(
                final int pcId, final long tag, final long address, final int length, final int status)
            {
                events.add("read " + tag + ": " + FrameMemory.getInt(address) + " " + AccessStatus.label(status));
            }
        };
    }
}
