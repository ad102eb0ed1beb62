package org.fibnuma.pfc.ecn;

import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.wire.InternetChecksum;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.HexFormat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** RFC 3168 section 5 on real headers; the checksum against a full sum for every traffic class. */
class EcnMarkerTest
{
    private static final String IPV4 = "45000027beef4000c8110000c00002c8e9fc004d";
    private static final EcnProfile ALWAYS = new EcnProfile(0, 0, 1);

    private final MemoryRegion region = MemoryRegion.ofBytes(64);
    private final long packet = region.address() + 1;

    @AfterEach
    void release()
    {
        region.close();
    }

    @Test
    void shouldMarkOnlyWhatIsCapableAndKeepTheChecksumRight()
    {
        final EcnMarker marker = new EcnMarker(ALWAYS, 1);
        final Ipv4HeaderFlyweight ipv4 = new Ipv4HeaderFlyweight().wrap(packet);
        for (int trafficClass = 0; trafficClass < 256; trafficClass++)
        {
            FrameMemory.putBytes(packet, HexFormat.of().parseHex(IPV4));
            ipv4.trafficClass(trafficClass).computeChecksum();
            final boolean isCapable = (trafficClass & 3) == 1 || (trafficClass & 3) == 2;
            assertEquals(isCapable, marker.mark(packet, 1));
            assertEquals(isCapable ? trafficClass | 3 : trafficClass, ipv4.trafficClass());
            assertEquals(0, InternetChecksum.of(packet, 20));
        }
    }

    @Test
    void shouldMarkIpv6AndLeaveItsFlowLabelAlone()
    {
        final EcnMarker marker = new EcnMarker(ALWAYS, 1);
        FrameMemory.putBytes(packet, HexFormat.of().parseHex("6b2abcde"));
        assertTrue(marker.mark(packet, 1));
        assertEquals(0x6B3A_BCDE, FrameMemory.getIntBE(packet));
        assertFalse(marker.mark(packet, 1));
        FrameMemory.putBytes(packet, HexFormat.of().parseHex("6b0abcde"));
        assertFalse(marker.mark(packet, 1));
    }

    @Test
    void shouldFollowTheProfile()
    {
        final EcnProfile profile = new EcnProfile(5_000, 200_000, 0.01);
        assertEquals(0, profile.probability(4_999));
        assertEquals(0, profile.probability(5_000));
        assertEquals(0.005, profile.probability(102_500), 1e-12);
        assertEquals(0.01, profile.probability(200_000), 1e-12);
        assertEquals(1, profile.probability(200_001));
    }

    @Test
    void shouldMarkAsOftenAsTheProfileSays()
    {
        final EcnMarker marker = new EcnMarker(new EcnProfile(0, 1_000, 0.2), 99);
        int marked = 0;
        for (int i = 0; i < 100_000; i++)
        {
            FrameMemory.putBytes(packet, HexFormat.of().parseHex("45020027"));
            marked += marker.mark(packet, 500) ? 1 : 0;
        }
        // 10 % of 100,000: standard deviation 95.
        assertEquals(10_000, marked, 500);
    }

    @Test
    void shouldRefuseAProfileOutOfOrder()
    {
        assertThrows(IllegalArgumentException.class, () -> new EcnProfile(10, 9, 1));
        assertThrows(IllegalArgumentException.class, () -> new EcnProfile(1, 9, 1.1));
    }
}
