package org.fibnuma.pfc.wire;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.wire.Ipv4Address;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The notification that a ConnectX-4 Lx sent, rebuilt from its fields. */
class CnpFrameTest
{
    private static final String CAPTURED =
        "45c2003c718c4000401191610a0011010a001201" + "000012b700280000" +
        "8100ffff4000011800000000" + "00".repeat(16) + "82fd002a";

    private final FrameBytes bytes = new FrameBytes();

    @AfterEach
    void release()
    {
        bytes.close();
    }

    @Test
    void shouldRebuildTheCapture()
    {
        bytes.put("ff".repeat(64));
        new CnpFrameFlyweight().wrap(bytes.address()).compose(
            0xC2, 0x718C, Ipv4Address.parse("10.0.17.1"), Ipv4Address.parse("10.0.18.1"), 0x118);
        assertEquals(CAPTURED + "ffffffff", bytes.hex(64));
    }

    @Test
    void shouldBeTheReferenceVector() throws Exception
    {
        assertEquals(CAPTURED, ReferenceVectors.hex("cnp_connectx4lx").substring(28));
    }

    @Test
    void shouldReadTheCapture()
    {
        bytes.put(CAPTURED);
        final CnpFrameFlyweight cnp = new CnpFrameFlyweight().wrap(bytes.address());
        assertTrue(cnp.isValid(60));
        assertEquals(0x118, cnp.queuePair());
    }

    @Test
    void shouldKeepItsCrcOverWhatRoutersChange()
    {
        // TTL and header checksum, type of service, UDP checksum.
        final int[] variant = {1, 8, 10, 11, 26, 27};
        for (final int offset : variant)
        {
            bytes.put(CAPTURED);
            FrameMemory.putByte(bytes.address() + offset, 0x5A);
            assertTrue(new CnpFrameFlyweight().wrap(bytes.address()).isValid(60), "offset " + offset);
        }
    }

    @Test
    void shouldNoticeADamagedByte()
    {
        final int[] invariant = {4, 12, 19, 20, 29, 33, 35, 40, 55, 59};
        for (final int offset : invariant)
        {
            bytes.put(CAPTURED);
            FrameMemory.putByte(bytes.address() + offset, FrameMemory.getByte(bytes.address() + offset) ^ 0x10);
            assertFalse(new CnpFrameFlyweight().wrap(bytes.address()).isValid(60), "offset " + offset);
        }
        bytes.put(CAPTURED);
        assertFalse(new CnpFrameFlyweight().wrap(bytes.address()).isValid(59));
    }
}
