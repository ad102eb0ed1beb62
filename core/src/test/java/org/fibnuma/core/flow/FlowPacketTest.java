package org.fibnuma.core.flow;

import org.fibnuma.core.memory.FrameBounds;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.HexFormat;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Transport headers written by hand; ports are expected in the order of their bytes. */
class FlowPacketTest
{
    private static final int TCP = 6;
    private static final String TCP_START = "9c400050 01020304 05060708 50";

    private final MemoryRegion region = MemoryRegion.ofChunks(1, 2048);
    private final long header = region.address() + 64;

    @AfterEach
    void close()
    {
        region.close();
    }

    private int put(final String hex)
    {
        final byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        FrameBounds.frame(header, Math.max(1, bytes.length));
        FrameMemory.putBytes(header, bytes);
        return bytes.length;
    }

    /** The ports as bytes, or KERNEL. */
    private String ports(final int length, final int protocol)
    {
        final long ports = FlowPacket.ports(header, length, protocol);
        if (ports == FlowPacket.KERNEL)
        {
            return "kernel";
        }
        assertEquals(0, ports >>> Integer.SIZE);
        FrameBounds.frame(header, Integer.BYTES);
        FrameMemory.putInt(header, (int)ports);
        final byte[] bytes = new byte[Integer.BYTES];
        FrameMemory.getBytes(header, bytes);
        return HexFormat.of().formatHex(bytes);
    }

    @ParameterizedTest
    @CsvSource({
        // protocol, header and first bytes behind it, ports
        "6,   9c400050 01020304 05060708 5010 0200 abcd 0000,          9c400050",
        "6,   9c400050 01020304 05060708 5018 0200 abcd 0000 ff,       9c400050",
        "6,   9c400050 01020304 05060708 5000 0200 abcd 0000,          kernel",
        "6,   9c400050 01020304 05060708 5001 0200 abcd 0000,          kernel",
        "6,   9c400050 01020304 05060708 5004 0200 abcd 0000,          9c400050",
        "6,   9c400050 01020304 05060708 5006 0200 abcd 0000,          kernel",
        "6,   9c400050 01020304 05060708 5011 0200 abcd 0000,          9c400050",
        "6,   9c400050 01020304 05060708 5014 0200 abcd 0000,          9c400050",
        "6,   9c400050 01020304 05060708 5002 0200 abcd 0000,          kernel",
        "6,   9c400050 01020304 05060708 5012 0200 abcd 0000,          kernel",
        "6,   9c400050 01020304 05060708 50ff 0200 abcd 0000,          kernel",
        "6,   9c400050 01020304 05060708 5010 0200 abcd 00,            kernel",
        "6,   9c400050 01020304 05060708 4010 0200 abcd 0000,          kernel",
        "6,   9c400050 01020304 05060708 6010 0200 abcd 0000 010101,   kernel",
        "6,   9c400050 01020304 05060708 6010 0200 abcd 0000 01010101, 9c400050",
        "6,   9c400050 01020304 05060708 f010 0200 abcd 0000,          kernel",
        "17,  ffff8001 0007 0000,                                      kernel",
        "17,  ffff8001 0009 0000,                                      kernel",
        "17,  ffff8001 0008 0000 ee,                                   ffff8001",
        "17,  ffff8001 ffff 0000,                                      kernel",
        "17,  ffff8001 0008 0000,                                      ffff8001",
        "17,  ffff8001 0009 abcd ee,                                   ffff8001",
        "17,  ffff8001 0008 00,                                        kernel",
        "136, 00010002 0008 abcd,                                      00010002",
        "136, 00010002 0008 ab,                                        kernel",
        "132, 0b590b5a 01020304 05060708 0003 0010,                    0b590b5a",
        "132, 0b590b5a 01020304 05060708 0003 00,                      kernel",
        "132, 0b590b5a 01020304 05060708 0100 0014,                    kernel",
        "132, 0b590b5a 01020304 05060708 0600 0004,                    kernel",
        "1,   0800 abcd 8123 0007,                                     81230800",
        "1,   0000 abcd 8123 0007,                                     81230000",
        "1,   0800 abcd 8123 00,                                       kernel",
        "1,   0300 abcd 0000 0000 4500,                                kernel",
        "1,   0d00 abcd 8123 0007,                                     kernel",
        "1,   8000 abcd 8123 0007,                                     kernel",
        "58,  8000 abcd ff23 0007,                                     ff238000",
        "58,  8100 abcd ff23 0007,                                     ff238100",
        "58,  8700 abcd 0000 0000,                                     kernel",
        "58,  0800 abcd ff23 0007,                                     kernel",
        "2,   9c400050 01020304,                                       kernel",
        "33,  9c400050 01020304 05060708 5010 0200 abcd 0000,          kernel",
        "47,  9c400050 01020304,                                       kernel",
        "50,  9c400050 01020304,                                       kernel",
        "0,   9c400050 01020304,                                       kernel",
        "44,  9c400050 01020304,                                       kernel"})
    void shouldHaveThePortsOfPacketsOfFlows(final int protocol, final String hex, final String expected)
    {
        assertEquals(expected, ports(put(hex), protocol));
    }

    @Test
    void shouldReadNothingOfAnEmptyPayload()
    {
        put("");
        for (int protocol = 0; protocol <= 0xFF; protocol++)
        {
            assertEquals("kernel", ports(0, protocol), "protocol " + protocol);
        }
    }

    @Test
    void shouldTellFinAndRst()
    {
        for (int flags = 0; flags <= 0xFF; flags++)
        {
            put(TCP_START + String.format("%02x", flags) + " 0200 abcd 0000");
            assertEquals((flags & 5) != 0, FlowPacket.isClosing(header, TCP), "flags " + flags);
            assertEquals((flags & 2) != 0 || (flags & 0x14) == 0,
                FlowPacket.ports(header, 20, TCP) == FlowPacket.KERNEL, "flags " + flags);
        }
        put("00010002 0008 0000 0000 0000 00ff");
        assertEquals(false, FlowPacket.isClosing(header, 17));
        assertEquals(false, FlowPacket.isClosing(header, 132));
    }
}
