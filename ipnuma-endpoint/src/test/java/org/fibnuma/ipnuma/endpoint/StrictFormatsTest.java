package org.fibnuma.ipnuma.endpoint;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.fate.EndpointCounter;
import org.fibnuma.ipnuma.table.Peer;
import org.fibnuma.ipnuma.wire.WireFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Datagrams of the formats without sessions, byte by byte: what is not as the format says is counted and not taken. */
class StrictFormatsTest
{
    private final String link = TestEndpoint.newLink();
    private final MemoryRegion frames = TestEndpoint.frames();
    private TestEndpoint endpoint;
    private TestWire wire;

    @AfterEach
    void close()
    {
        endpoint.close();
        wire.close();
        frames.close();
    }

    @ParameterizedTest
    @CsvSource({
        "IPNUMA_10G, CROSSES_BOUNDARY, 0d5e be9be955 0000 02000060 ff000000 05000000 fc0f0000 04030201 08070605",
        "IPNUMA_10G, TRAILING_BYTES, 0d5e be9be955 0000 01000060 0f000000 05000000 00000000 04030201 00",
        "IPNUMA_10G, TRAILING_BYTES, 0d5e be9be955 0000 01000060 0f000000 05000000 00000000 04030201 00000000",
        "IPNUMA_10G, MALFORMED, 0d5e be9be955 0000 02000060 ff000000 05000000 00000000 04030201",
        "IPNUMA_1G, CROSSES_BOUNDARY, 0d5e a1110000 c1 0f 0500000000 01020304 c2 ff 0500000ffc 0102030405060708 00",
        "IPNUMA_1G, TRAILING_BYTES, 0d5e a1110000 c1 0f 0500000000 01020304 00 00",
        "IPNUMA_1G, NO_END_CODE, 0d5e a1110000 c1 0f 0500000000 01020304",
        "IPNUMA_1G, MALFORMED, 0d5e a1110000 c1 0f 0500000000 01020304 c1 0f 0500000000",
        "NETTLP, CROSSES_BOUNDARY, 3000 0000 00000000 60000002 1a0000ff 0000000500000ffc 0102030405060708",
        "NETTLP, CROSSES_BOUNDARY, 3000 0000 00000000 20000002 1a0000ff 0000000500000ffc",
        "NETTLP, TRAILING_BYTES, 3000 0000 00000000 60000001 1a00000f 0000000500000000 01020304 00",
        "NETTLP, MALFORMED, 3000 0000 00000000 60000002 1a0000ff 0000000500000000 01020304"
    })
    void shouldCountAndNotTake(final WireFormat format, final EndpointCounter counter, final String datagram)
    {
        final Peer peer = TestEndpoint.peer(2, format);
        peer.mac(TestWire.MAC);
        endpoint = new TestEndpoint(
            link, TestEndpoint.pool(frames, 0), 1, 0, System::nanoTime, ChannelListener.NONE, peer);
        wire = new TestWire(link + "@far", TestEndpoint.pool(frames, 1));
        wire.send(datagram);
        endpoint.agent().doWork();

        for (final EndpointCounter each : new EndpointCounter[]{
            EndpointCounter.MALFORMED, EndpointCounter.CROSSES_BOUNDARY, EndpointCounter.TRAILING_BYTES,
            EndpointCounter.NO_END_CODE, EndpointCounter.REFUSED})
        {
            assertEquals(each == counter ? 1 : 0, endpoint.agent().counters().get(each), each.label());
        }
        for (int offset = 0; offset < TestEndpoint.REGION_LENGTH; offset += Long.BYTES)
        {
            assertEquals(0, FrameMemory.getLong(endpoint.memory() + offset), "offset " + offset);
        }
        assertTrue(wire.received().isEmpty());
        assertTrue(endpoint.agent().counters().isBalanced());
    }
}
