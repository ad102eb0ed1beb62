package org.fibnuma.pfc.headroom;

import org.fibnuma.pfc.quanta.LinkSpeed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Published vectors to the byte, and our own sum term by term. */
class HeadroomModelTest
{
    @ParameterizedTest
    @CsvSource({
        "1G, 5, 21504, 40960", "10G, 5, 30720, 50176", "40G, 5, 36864, 56320", "40G, 300, 65536, 84992",
        "100G, 5, 72704, 92160", "100G, 40, 80896, 100352", "100G, 300, 144384, 163840"})
    void shouldAgreeWithSonic(final String speed, final double meters, final long xoff, final long size)
    {
        final Headroom headroom = HeadroomModel.of("sonic").compute(link(speed, meters, 9100));
        assertEquals(xoff, headroom.xoff());
        assertEquals(19_456, headroom.xon());
        assertEquals(size, headroom.size());
    }

    /** Computed by a second program; pipeline latency 19 KiB, MAC and PHY delay 0.8 KiB. */
    @ParameterizedTest
    @CsvSource({
        "400G, 40, 9216, 144, 0, false, 199680, 37888, 246784",
        "400G, 40, 9216, 144, 8, false, 199680, 37888, 246784",
        "400G, 40, 9216, 144, 4, false, 199680, 19456, 219136",
        "400G, 40, 9216, 144, 8, true, 199680, 37888, 37888",
        "800G, 40, 9216, 192, 0, false, 324608, 37888, 371712",
        "800G, 40, 9100, 192, 8, false, 323584, 37888, 370688",
        "100G, 40, 9100, 96, 0, true, 80896, 19456, 19456",
        "100M, 5, 9100, 96, 0, false, 21504, 19456, 40960"})
    void shouldAgreeWithSonicOnLanesAndSharedHeadroom(final ArgumentsAccessor row)
    {
        final Headroom headroom = HeadroomModel.of("sonic").compute(
            link(row.getString(0), row.getDouble(1), row.getInteger(2))
                .cellBytes(row.getInteger(3)).lanes(row.getInteger(4)).sharesHeadroom(row.getBoolean(5)));
        assertEquals(
            List.of(row.getLong(6), row.getLong(7), row.getLong(8)),
            List.of(headroom.xoff(), headroom.xon(), headroom.size()));
    }

    @Test
    void shouldAgreeWithSonicOnTheSharedHeadroomPool()
    {
        // 32 x (2 x 80,896 - 10,240) / 2
        assertEquals(2_424_832, new SharedHeadroomPool(80_896, 32, 2, 2).bytes());
        assertEquals(655_360, new SharedHeadroomPool(5_120, 32, 2, 2).bytes());
        assertThrows(IllegalArgumentException.class, () -> new SharedHeadroomPool(1, 32, 2, 0.5));
        assertThrows(IllegalArgumentException.class, () -> new SharedHeadroomPool(1, 0, 2, 2));
        assertThrows(IllegalArgumentException.class, () -> new SharedHeadroomPool(1, 32, 9, 2));
    }

    @ParameterizedTest
    @CsvSource({"40G, 7, 1500, 16720", "100G, 7, 1500, 35680", "100G, 100, 9000, 76180", "10G, 7, 1500, 16720"})
    void shouldAgreeWithMlx5(final String speed, final double meters, final int mtu, final long xoff)
    {
        assertEquals(xoff, HeadroomModel.of("mlx5").compute(link(speed, meters, mtu)).xoff());
    }

    @ParameterizedTest
    @CsvSource({"1500, 0, 128, 26064", "9000, 0, 128, 46464", "9216, 256, 256, 47179", "10000, 0, 128, 49968"})
    void shouldNeedWhatTheDriverOfMlx5Enforces(final int mtu, final int cell, final long xon, final long size)
    {
        final Headroom headroom = HeadroomModel.of("mlx5").compute(link("40G", 7, mtu).cellBytes(cell));
        assertEquals(xon, headroom.xon());
        assertEquals(size, headroom.size());
    }

    @Test
    void shouldAgreeWithAnnexO()
    {
        final Headroom headroom = HeadroomModel.of("annex-o").compute(link("10G", 100, 1500));
        assertEquals(122_151L, headroom.terms().get("bits"));
        assertEquals(15 * 1024, headroom.xoff());
    }

    @Test
    void shouldAddItsOwnTerms()
    {
        final Headroom headroom = HeadroomModel.of("own").compute(
            link("10G", 100, 1500).pollNanos(8_000).ringFrames(2));
        // 2 x 100 m take 1010.1 ns, 1262.6 bytes at 10 Gb/s; 67 quanta of 64 bytes; 8 us at 1.25 bytes a nanosecond.
        assertEquals(
            "{ownFrame=1542, pauseFrame=84, cable=1263, ownInterface=2368, peerResponse=4288, peerFrame=1542, " +
            "ownPoll=10000, ownReceiveRing=3084}",
            headroom.terms().toString());
        assertEquals(1542 + 84 + 1263 + 2368 + 4288 + 1542 + 10_000 + 3084, headroom.xoff());
        assertEquals(headroom.xoff() + headroom.xon(), headroom.size());
    }

    @Test
    void shouldTakeTheDelayOfItsInterfaceFromTheUser()
    {
        // 1,500 ns at 1.25 bytes a nanosecond
        assertEquals(1875L, HeadroomModel.of("own").compute(link("10G", 100, 1500).interfaceNanos(1500))
            .terms().get("ownInterface"));
        assertEquals(0L, HeadroomModel.of("own").compute(link("10G", 100, 1500).interfaceNanos(0))
            .terms().get("ownInterface"));
        assertThrows(IllegalArgumentException.class, () -> link("10G", 1, 1500).interfaceNanos(-1));
    }

    @Test
    void shouldTakeTheNextSpeedsResponseWhereTheStandardHasNone()
    {
        assertEquals(
            67 * 64L, HeadroomModel.of("own").compute(link("5G", 1, 1500)).terms().get("peerResponse"));
    }

    @Test
    void shouldRefuseWhatAModelDoesNotKnow()
    {
        final String message = assertThrows(
            IllegalArgumentException.class, () -> HeadroomModel.of("sonic").compute(link("5G", 1, 1500))).getMessage();
        assertTrue(message.contains("5G") && message.contains("800G"), message);
        assertThrows(IllegalArgumentException.class, () -> HeadroomModel.of("own").compute(link("1600G", 1, 1500)));
        assertThrows(IllegalArgumentException.class, () -> link("400G", 1, 1500).lanes(9));
        assertThrows(IllegalArgumentException.class, () -> HeadroomModel.of("annexo"));
        assertThrows(IllegalArgumentException.class, () -> link("10G", -1, 1500));
        assertThrows(IllegalArgumentException.class, () -> link("10G", 1, 63));
    }

    @Test
    void shouldAgreeWithTheRuleOfDcqcn()
    {
        final DcqcnThresholds rule = new DcqcnThresholds(12_000_000, 32, 22_400);
        assertEquals(24.47e3, rule.pfc(), 10);
        assertEquals(21.75e3, rule.ecn(8), 10);
    }

    @Test
    void shouldReadSpeeds()
    {
        assertEquals(100_000_000_000L, LinkSpeed.parse("100G"));
        assertEquals(2_500_000_000L, LinkSpeed.parse("2.5G"));
        assertEquals(100_000_000L, LinkSpeed.parse("100M"));
        assertEquals("100G", LinkSpeed.format(100_000_000_000L));
        assertEquals("2.5G", LinkSpeed.format(2_500_000_000L));
        assertEquals("100M", LinkSpeed.format(100_000_000L));
        for (final String text : new String[]{"", "G", "0G", "10", "10g", "-1G", "1e3G", "10 G"})
        {
            assertThrows(IllegalArgumentException.class, () -> LinkSpeed.parse(text), text);
        }
    }

    private static HeadroomRequest link(final String speed, final double meters, final int mtu)
    {
        return new HeadroomRequest(LinkSpeed.parse(speed)).cableMeters(meters).mtu(mtu);
    }
}
