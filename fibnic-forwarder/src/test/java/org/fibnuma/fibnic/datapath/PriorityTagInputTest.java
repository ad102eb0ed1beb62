package org.fibnuma.fibnic.datapath;

import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.pfc.config.EcnSettings;
import org.fibnuma.pfc.config.MacFlowControl;
import org.fibnuma.pfc.config.PfcConfig;
import org.fibnuma.pfc.config.PfcLink;
import org.fibnuma.pfc.headroom.HeadroomModel;
import org.fibnuma.pfc.headroom.HeadroomRequest;
import org.fibnuma.pfc.policy.PausePolicyKind;
import org.fibnuma.pfc.policy.PauseTimeLaw;
import org.fibnuma.pfc.priority.PriorityClassifier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Tagged frames in a router with lossless priority 3; tags written as hex. */
class PriorityTagInputTest
{
    private static final long GBPS = 1_000_000_000L;
    private static final PfcLink LINK = new PfcLink(
        "", 1, GBPS, 20_000, 5_000, 10_000, HeadroomModel.OWN.compute(new HeadroomRequest(GBPS)), MacFlowControl.OFF);
    private static final String PRIORITY_3 = "81006000";
    private static final String PRIORITY_3_ELIGIBLE = "81007000";
    private static final String PRIORITY_4 = "81008000";
    private static final String VLAN_5 = "81006005";
    private static final int ADDRESSES = 12;

    private RouterFixture router;

    @AfterEach
    void close()
    {
        router.close();
    }

    @Test
    void shouldClassifyByTheTagAndLetItLeaveWithTheFrame()
    {
        open(PriorityClassifier.byPcp(), null);
        pause();
        receive(PRIORITY_3, frame());
        receive(PRIORITY_3_ELIGIBLE, frame());
        receive(PRIORITY_4, frame());
        router.receive(0, frame());
        router.run();
        final List<byte[]> others = router.sent(1);
        assertEquals(List.of(PRIORITY_4, "08004500"), afterAddresses(others));
        assertEquals(frame().length + 4, others.get(0).length);
        resume();
        final List<byte[]> held = router.sent(1);
        assertEquals(List.of(PRIORITY_3, PRIORITY_3_ELIGIBLE), afterAddresses(held));
        final byte[] routed = routedWithoutTag();
        assertArrayEquals(tagged(PRIORITY_3, routed), held.get(0));
        router.assertBalanced();
    }

    @Test
    void shouldTakeTheTagOffWhereTheDscpSaysThePriority()
    {
        open(PriorityClassifier.byDscp(PriorityClassifier.classSelectors()), null);
        receive(PRIORITY_3, frame());
        router.run();
        final byte[] sent = router.sent(1).get(0);
        assertArrayEquals(routedWithoutTag(), sent);
        pause();
        receive(PRIORITY_4, TestFrame.ipv4().trafficClass(3 << 5).payload(100).bytes());
        router.run();
        assertEquals(List.of(), router.sent(1), "priority 3 by its DSCP");
        resume();
        assertEquals(List.of("08004560"), afterAddresses(router.sent(1)));
        router.assertBalanced();
    }

    @Test
    void shouldPuntOtherTaggedFramesAsTheyCame()
    {
        open(PriorityClassifier.byPcp(), null);
        final byte[] vlan = tagged(VLAN_5, frame());
        final byte[] arp = tagged(PRIORITY_3, TestFrame.ipv4().etherType(0x0806).payload(40).bytes());
        final byte[] twice = tagged("88a80000", tagged(PRIORITY_3, frame()));
        final byte[] cut = TestFrame.hex("020000000100" + "020000000200" + PRIORITY_3);
        for (final byte[] each : List.of(vlan, arp, twice, cut))
        {
            router.receive(0, each);
        }
        router.run();
        final List<byte[]> punted = router.punted();
        assertEquals(4, punted.size());
        assertArrayEquals(vlan, punted.get(0));
        assertArrayEquals(arp, punted.get(1));
        assertArrayEquals(twice, punted.get(2));
        assertArrayEquals(cut, punted.get(3));
        assertEquals(4, router.count(ForwarderCounter.PUNTED));
        router.assertBalanced();
    }

    @Test
    void shouldKeepTheTagOnEveryFragment()
    {
        open(PriorityClassifier.byPcp(), null);
        receive(PRIORITY_3, TestFrame.ipv4().payload(RouterFixture.MTU + 500).bytes());
        router.run();
        assertEquals(List.of(PRIORITY_3, PRIORITY_3), afterAddresses(router.sent(1)));
        router.assertBalanced();
    }

    @Test
    void shouldAnswerATaggedFrameWithoutATag()
    {
        open(PriorityClassifier.byPcp(), null);
        receive(PRIORITY_3, TestFrame.ipv4().ttl(1).payload(100).bytes());
        router.run();
        final List<byte[]> errors = router.sent(0);
        assertEquals(1, errors.size());
        assertEquals(0x0800, TestFrame.u16(errors.get(0), ADDRESSES));
        assertEquals(11, TestFrame.u8(errors.get(0), TestFrame.ETHERNET + 20));
        router.assertBalanced();
    }

    @Test
    void shouldMarkBehindTheTag()
    {
        open(PriorityClassifier.byPcp(), new EcnSettings(1, 0, 0, 1));
        pause();
        receive(PRIORITY_3, TestFrame.ipv4().trafficClass(2).payload(100).bytes());
        router.run();
        resume();
        final byte[] sent = router.sent(1).get(0);
        assertEquals(3, TestFrame.u8(sent, TestFrame.ETHERNET + 4 + 1));
        assertEquals(0, TestFrame.checksumOf(sent, TestFrame.ETHERNET + 4, 20));
        router.assertBalanced();
    }

    private void open(final PriorityClassifier classifier, final EcnSettings ecn)
    {
        router = RouterFixture.lossless(config(classifier, ecn), 1);
        router.run();
    }

    static PfcConfig config(final PriorityClassifier classifier, final EcnSettings ecn)
    {
        return new PfcConfig(
            1, 1 << 3, classifier, PausePolicyKind.POOC, PauseTimeLaw.DEFAULT, 0, 2, LINK, Map.of(), ecn, null);
    }

    private void pause()
    {
        macControl("ffff");
    }

    private void resume()
    {
        macControl("0000");
    }

    private void macControl(final String quanta)
    {
        router.receive(1, TestFrame.hex(
            "0180c2000001" + "020000000201" + "8808" + "0101" + "0008" + "0000".repeat(3) + quanta +
            "0000".repeat(4) + "00".repeat(26)));
        router.run();
    }

    private void receive(final String tag, final byte[] frame)
    {
        router.receive(0, tagged(tag, frame));
    }

    private byte[] routedWithoutTag()
    {
        return router.forward(frame()).get(0);
    }

    private static byte[] frame()
    {
        return TestFrame.ipv4().payload(100).bytes();
    }

    private static byte[] tagged(final String tag, final byte[] frame)
    {
        final String hex = HexFormat.of().formatHex(frame);
        return TestFrame.hex(hex.substring(0, 2 * ADDRESSES) + tag + hex.substring(2 * ADDRESSES));
    }

    /** The four bytes behind the addresses. */
    private static List<String> afterAddresses(final List<byte[]> frames)
    {
        return frames.stream().map(frame -> HexFormat.of().formatHex(frame, ADDRESSES, ADDRESSES + 4))
            .collect(Collectors.toList());
    }
}
