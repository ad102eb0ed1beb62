package org.fibnuma.ipnuma.endpoint;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.ipnuma.fate.DropReason;
import org.fibnuma.ipnuma.fate.EndpointCounter;
import org.fibnuma.ipnuma.fate.EndpointCounters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.HexFormat;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Datagrams from an address that is not a peer. The checksums were computed by scapy. */
class UdpInputTest
{
    private static final String HEADERS =
        "020000000001 020000000002 0800 4500002400014000401125c5 0a000002 0a000102 9c40 0009 0010 ";
    private static final String DATA = " 6461746167 72616d";
    private static final String RIGHT = "acde";
    /** The folded sum of the pseudo-header. */
    private static final String PARTIAL = "1525";
    private static final int COUNTERS = 64;

    private final MemoryRegion region = MemoryRegion.ofChunks(1, 2048);
    private final EndpointCounters counters = new EndpointCounters(new CountersManager(
        new UnsafeBuffer(ByteBuffer.allocateDirect(COUNTERS * CountersManager.METADATA_LENGTH)),
        new UnsafeBuffer(ByteBuffer.allocateDirect(COUNTERS * CountersManager.COUNTER_LENGTH))));

    @AfterEach
    void close()
    {
        region.close();
    }

    @Test
    void shouldTakeAPartialChecksumWherePortsDeliverThem()
    {
        receive(true, PARTIAL);
        assertCounted(1, 0, 1);
    }

    @Test
    void shouldDropAPartialChecksumOffAWire()
    {
        receive(false, PARTIAL);
        assertCounted(0, 1, 0);
    }

    @Test
    void shouldDropWrongChecksumsAndTakeRightOnesOnEitherPort()
    {
        receive(true, RIGHT);
        receive(false, RIGHT);
        receive(true, "0000");
        assertCounted(3, 0, 0);
        receive(true, "1526");
        receive(true, "eada");
        receive(false, "1526");
        assertCounted(3, 3, 0);
    }

    private void receive(final boolean takesPartialChecksums, final String checksum)
    {
        final byte[] frame = HexFormat.of().parseHex((HEADERS + checksum + DATA).replace(" ", ""));
        FrameMemory.putBytes(region.address(), frame);
        new UdpInput(Ipv4Address.parse("10.0.1.2"), takesPartialChecksums, counters)
            .process(region.address(), frame.length, 0);
    }

    private void assertCounted(final long unknownSources, final long bad, final long partial)
    {
        assertEquals(unknownSources, counters.get(DropReason.UNKNOWN_SOURCE));
        assertEquals(bad, counters.get(DropReason.UDP_BAD_CHECKSUM));
        assertEquals(partial, counters.get(EndpointCounter.PARTIAL_CHECKSUMS));
    }
}
