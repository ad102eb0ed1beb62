package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.frame.InterfaceNumber;
import org.fibnuma.core.kernel.InterfacePolicy;
import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.kernel.ReversePath;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.core.wire.VlanTag;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.adjacency.VlanTable;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.fate.PortTraffic;
import org.fibnuma.fibnic.fate.VlanTraffic;
import org.fibnuma.fibnic.trace.Trace;
import org.fibnuma.fibnic.trace.TraceSettings;
import org.fibnuma.fibnic.trace.TraceStep;
import org.fibnuma.fibnic.trace.TracedFrame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * VLANs 100 and 300 on port 0, 200 on port 1, and VLAN 20 in service VLAN 10 on both. VLAN v on port p has the network
 * 10.v.p.0/24, the router has address 1, a resolved host address 2. Tags are written as hex.
 */
class VlanTest
{
    private static final String TAG_100 = "81000064";
    private static final String TAG_200 = "810000c8";
    private static final String TAG_300 = "8100012c";
    private static final String QINQ = "88a8000a" + "81000014";
    /** MAC address of a virtual router (RFC 5798 section 7.3), and that of the router on port 0. */
    private static final String VIRTUAL = "00:00:5e:00:01:01";
    private static final String OWN = "02:00:00:00:01:00";
    private static final int ADDRESSES = 12;
    private static final int MTU = 1400;

    private final VlanTraffic traffic = new VlanTraffic(1);
    private final Map<Integer, Map<Long, Integer>> vlans = Map.of(0, new HashMap<>(), 1, new HashMap<>());
    private RouterFixture router;
    private int nextAdjacency = 1000;
    private int nextVlan = 1;

    @AfterEach
    void close()
    {
        router.close();
    }

    private void open()
    {
        // Port 0 has an interface of its own in the kernel.
        router = RouterFixture.withKernelInterface(2, 0, context -> context.vlanTraffic(traffic).forwardsIpv6(true));
        addVlans();
    }

    private void addVlans()
    {
        vlan(0, TAG_100, 100, MTU);
        vlan(0, TAG_300, 30, MTU);
        vlan(1, TAG_200, 200, MTU);
        vlan(0, QINQ, 20, MTU);
        vlan(1, QINQ, 20, MTU);
    }

    private int vlan(final int port, final String tags, final int net, final int mtu)
    {
        final int number = InterfaceNumber.ofVlan(port, nextVlan++);
        final long value = Long.parseUnsignedLong(tags, 16);
        final String own = "10." + net + "." + port + ".1";
        router.interfaces.set(number, RouterInterface.of(
            RouterFixture.routerMac(port), mtu, List.of(new KernelAddress(0, IpAddress.parse(own), 24)), true)
            .withTags(value));
        vlans.get(port).put(VlanTag.identity(value), number);
        router.interfaces.vlans(new VlanTable(vlans));
        final String host = "10." + net + "." + port + ".2";
        router.adjacencies.set(nextAdjacency, Adjacency.forward(
            number, IpAddress.parse(host), mtu, RouterFixture.hostMac(port), RouterFixture.routerMac(port)));
        router.adjacencies.set(nextAdjacency + 1, Adjacency.glean(number, mtu));
        router.route("10." + net + "." + port + ".0", 24, nextAdjacency + 1);
        router.route(host, 32, nextAdjacency);
        router.route(own, 32, RouterFixture.LOCAL);
        router.interfaces.hostAddresses().add(TestFrame.ip(own));
        nextAdjacency += 2;
        return number;
    }

    /** Adds a macvlan interface to the interface of a number, with the same networks. */
    private int macvlan(final int below, final String mac)
    {
        final int port = InterfaceNumber.portOf(below);
        final int number = InterfaceNumber.ofVlan(port, nextVlan++);
        final long address = MacAddress.parse(mac);
        router.interfaces.set(number, RouterInterface.of(address, MTU, List.of(), true)
            .withTags(router.interfaces.get(below).tags()));
        vlans.get(port).put(InterfaceNumber.macvlanIdentity(below, address), number);
        router.interfaces.vlans(new VlanTable(vlans));
        return number;
    }

    @Test
    void shouldForwardFramesToTheAddressesOfMacvlans()
    {
        open();
        final int ofPort = macvlan(0, VIRTUAL);
        final int ofVlan = macvlan(vlans.get(0).get(0x8100_0064L), VIRTUAL);
        final TestFrame frame = TestFrame.ipv4().destination("10.0.1.2").payload(60);
        final TestFrame tagged = TestFrame.ipv4().source("10.100.0.2").destination("10.0.1.2").payload(60);
        // In one batch, so that it is divided.
        for (int i = 0; i < 3; i++)
        {
            router.receive(0, frame.to(VIRTUAL).bytes());
            router.receive(0, frame.to(OWN).bytes());
            router.receive(0, tagged(TAG_100, tagged.to(VIRTUAL).bytes()));
            router.receive(0, tagged(TAG_100, tagged.to(OWN).bytes()));
        }
        router.run();
        assertEquals(12, router.sent(1).size());
        router.agent.counters().publish();
        assertEquals(3, traffic.get(ofPort, VlanTraffic.Counter.RX_FRAMES));
        assertEquals(3, traffic.get(ofVlan, VlanTraffic.Counter.RX_FRAMES));
        assertEquals(3, traffic.get(vlans.get(0).get(0x8100_0064L), VlanTraffic.Counter.RX_FRAMES));
        // To addresses that the interface of the frame does not have.
        for (final byte[] other : List.of(
            frame.to("00:00:5e:00:01:02").bytes(), tagged(TAG_300, tagged.to(VIRTUAL).bytes())))
        {
            assertEquals(0, router.forward(other).size());
        }
        assertEquals(2, router.report().get(DropReason.ETHERNET_OTHER_HOST));
        router.assertBalanced();
    }

    @Test
    void shouldTreatFramesOfAMacvlanByItsPolicy()
    {
        open();
        set(macvlan(0, VIRTUAL), new InterfacePolicy(false, ReversePath.OFF, false));
        final byte[] frame = TestFrame.ipv4().to(VIRTUAL).destination("10.0.1.2").bytes();
        assertEquals(0, router.forward(frame).size());
        assertArrayEquals(frame, router.sent(router.kernelEnd()).get(0));
        router.assertBalanced();
    }

    @Test
    void shouldTraceRemovedAndInsertedTags() throws IOException
    {
        open();
        final Trace trace = new Trace(new TraceSettings(3, 10, null), 1, router.clock, 0);
        router.agent.capturePoint.traceTo(trace.frames(0));
        router.run();
        final byte[] untagged = TestFrame.ipv4().destination("10.200.1.2").payload(26).bytes();
        final String hex = HexFormat.of().formatHex(untagged);
        router.receive(0, TestFrame.hex(hex.substring(0, 24) + TAG_100 + hex.substring(24)));
        router.receive(0, untagged);
        router.run();
        final List<byte[]> sent = router.sent(1);
        final List<TracedFrame> traced = new ArrayList<>();
        assertEquals(0, StageObserverTest.drain(trace, 2, ByteBuffer.allocateDirect(1 << 20), traced));
        assertEquals(2, traced.size());
        final List<TraceStep> steps = traced.get(0).steps();
        assertEquals(
            List.of("VlanInput", "FrameClassifier", "Ipv4Lookup", "Ipv4Rewrite", "VlanOutput", "EgressQueues"),
            steps.stream().map(step -> step.stage().label()).toList());
        assertEquals("p0 vlan 100", steps.get(0).ingress());
        assertEquals("p1 vlan 200", steps.get(5).egress());
        assertArrayEquals(sent.get(0), steps.get(4).changedHead());
        assertEquals("FrameClassifier", traced.get(1).steps().get(0).stage().label());
        assertEquals("p0", traced.get(1).steps().get(0).ingress());
        router.agent.capturePoint.traceTo(null);
        router.run();
        trace.free();
    }

    @Test
    void shouldTagPopAndRewriteEveryCombination()
    {
        open();
        final String[] received = {"", TAG_100, TAG_300, QINQ};
        final String[] sources = {"10.0.0.2", "10.100.0.2", "10.30.0.2", "10.20.0.2"};
        final String[] sent = {"", TAG_200, QINQ};
        final String[] destinations = {"10.0.1.2", "10.200.1.2", "10.20.1.2"};
        for (int in = 0; in < received.length; in++)
        {
            for (int out = 0; out < sent.length; out++)
            {
                final TestFrame frame = TestFrame.ipv4().source(sources[in]).destination(destinations[out]).payload(60);
                final List<byte[]> left = router.forward(tagged(received[in], frame.bytes()));
                assertEquals(1, left.size(), received[in] + " to " + sent[out]);
                assertArrayEquals(tagged(sent[out], routed(frame, 1)), left.get(0));
            }
        }
        router.assertBalanced();
    }

    @Test
    void shouldForwardBetweenTwoVlansOfOnePort()
    {
        open();
        final TestFrame frame = TestFrame.ipv4().source("10.100.0.2").destination("10.30.0.2").payload(60);
        router.receive(0, tagged(TAG_100, frame.bytes()));
        router.run();
        final List<byte[]> left = router.sent(0);
        assertEquals(1, left.size(), "no redirect between two VLANs");
        assertArrayEquals(tagged(TAG_300, routed(frame, 0)), left.get(0));
        router.assertBalanced();
    }

    @Test
    void shouldKeepTheOrderOfEveryVlanInAMixedBatch()
    {
        open();
        final String[] tags = {"", TAG_100, TAG_300, QINQ};
        final String[] sources = {"10.0.0.2", "10.100.0.2", "10.30.0.2", "10.20.0.2"};
        for (int i = 0; i < 100; i++)
        {
            final int vlan = i * 7 % 4;
            router.receive(0, tagged(tags[vlan],
                TestFrame.ipv4().source(sources[vlan]).destination("10.200.1.2").identification(i).bytes()));
        }
        router.run();
        final int[] last = {-1, -1, -1, -1};
        final List<byte[]> left = router.sent(1);
        assertEquals(100, left.size());
        for (final byte[] frame : left)
        {
            assertEquals(TAG_200, HexFormat.of().formatHex(frame, ADDRESSES, ADDRESSES + 4));
            final int identification = TestFrame.u16(frame, TestFrame.ETHERNET + 4 + 4);
            final int vlan = identification * 7 % 4;
            assertEquals(true, identification > last[vlan]);
            last[vlan] = identification;
        }
        router.assertBalanced();
    }

    @Test
    void shouldCountFramesOfPortsWithTagsAndOfVlansWithout()
    {
        open();
        final byte[] frame = TestFrame.ipv4().source("10.100.0.2").destination("10.200.1.2").payload(60).bytes();
        router.forward(tagged(TAG_100, frame));
        router.agent.counters().publish();
        final int in = vlans.get(0).get(0x8100_0064L);
        final int out = vlans.get(1).get(0x8100_00C8L);
        assertEquals(1, traffic.get(in, VlanTraffic.Counter.RX_FRAMES));
        assertEquals(frame.length, traffic.get(in, VlanTraffic.Counter.RX_BYTES));
        assertEquals(1, traffic.get(out, VlanTraffic.Counter.TX_FRAMES));
        assertEquals(frame.length, traffic.get(out, VlanTraffic.Counter.TX_BYTES));
        assertEquals(0, traffic.get(out, VlanTraffic.Counter.RX_FRAMES));
        assertEquals(frame.length + 4, router.agent.counters().get(0, PortTraffic.RX_BYTES));
        assertEquals(frame.length + 4, router.agent.counters().get(1, PortTraffic.TX_BYTES));
        traffic.begin(in);
        assertEquals(0, traffic.get(in, VlanTraffic.Counter.RX_FRAMES));
    }

    @Test
    void shouldCountAPriorityTagAsNone()
    {
        open();
        final TestFrame frame = TestFrame.ipv4().destination("10.0.1.2").payload(60);
        assertArrayEquals(routed(frame, 1), router.forward(tagged("8100e000", frame.bytes())).get(0));
        assertArrayEquals(routed(frame, 1), router.forward(tagged("88a8e000", frame.bytes())).get(0));
        // Port 1 without VLANs.
        vlans.get(1).clear();
        router.interfaces.vlans(new VlanTable(vlans));
        final TestFrame back = TestFrame.ipv4().to("02:00:00:00:01:01").source("10.0.1.2").destination("10.0.0.2");
        router.receive(1, tagged("8100e000", back.payload(60).bytes()));
        router.run();
        assertArrayEquals(routed(back, 0), router.sent(0).get(0));
        router.assertBalanced();
    }

    @Test
    void shouldDropTagsThatNobodyHas()
    {
        open();
        final byte[] frame = TestFrame.ipv4().destination("10.0.1.2").payload(60).bytes();
        assertEquals(0, router.forward(tagged("81000065", frame)).size());
        assertEquals(0, router.forward(tagged("88a80064", frame)).size());
        assertEquals(0, router.forward(tagged("88a8000b" + "81000014", frame)).size());
        assertEquals(3, router.report().get(DropReason.VLAN_UNKNOWN));
        assertEquals(0, router.forward(tagged("8100ffff", frame)).size());
        assertEquals(0, router.forward(tagged("8100ffff" + "81000064", frame)).size());
        assertEquals(2, router.report().get(DropReason.VLAN_RESERVED));
        assertEquals(0, router.sent(router.kernelEnd()).size());
        router.assertBalanced();
    }

    @Test
    void shouldGiveTheKernelItsTaggedFramesAsTheyCame()
    {
        open();
        vlans.get(0).put(0x8100_0190L, VlanTable.KERNEL);
        router.interfaces.vlans(new VlanTable(vlans));
        final List<byte[]> given = new ArrayList<>();
        // To the router's address, ARP, and to a group, with PCP and DEI; a VLAN that is the kernel's alone.
        given.add(tagged("8100b064", TestFrame.ipv4().source("10.100.0.2").destination("10.100.0.1").bytes()));
        given.add(tagged("8100b064", TestFrame.ipv4().to("ff:ff:ff:ff:ff:ff").etherType(0x0806).payload(40).bytes()));
        given.add(tagged(
            "88a8d00a" + "81007014", TestFrame.ipv4().source("10.20.0.2").destination("10.20.0.1").bytes()));
        given.add(tagged("81000190", TestFrame.ipv4().bytes()));
        given.add(tagged("81000064" + "81000065", TestFrame.ipv4().bytes()));
        given.add(tagged("81000000" + "81000064", TestFrame.ipv4().bytes()));
        given.forEach(frame -> router.receive(0, frame));
        router.run();
        final List<String> up =
            router.sent(router.kernelEnd()).stream().map(HexFormat.of()::formatHex).sorted().toList();
        assertEquals(given.stream().map(HexFormat.of()::formatHex).sorted().toList(), up);
        assertEquals(given.size(), router.count(ForwarderCounter.PUNTED));
        router.assertBalanced();
    }

    /** A frame that becomes too long with its tags enters by the interface of several ports, which takes IP packets. */
    @Test
    void shouldGiveTheKernelItsTaggedFramesByTheInterfaceOfThePort()
    {
        final AtomicReference<KernelEntryPort> entry = new AtomicReference<>();
        router = new RouterFixture(2, context -> context.vlanTraffic(traffic).ports(List.of(
            PuntOutputTest.withEntry(entry, context.ports.get(0), context.framePool), context.ports.get(1))));
        addVlans();
        final byte[] once = tagged("8100b064",
            TestFrame.ipv4().source("10.100.0.2").destination("10.100.0.1").payload(60).bytes());
        final byte[] twice = tagged("88a8d00a" + "81007014",
            TestFrame.ipv4().source("10.20.0.2").destination("10.20.0.1").payload(60).bytes());
        for (final int longest : new int[]{twice.length, twice.length - 1})
        {
            entry.get().longest = longest;
            router.receive(0, once);
            router.receive(0, twice);
            router.run();
        }

        assertEquals(List.of(once, twice, once).stream().map(HexFormat.of()::formatHex).toList(),
            entry.get().entered.stream().map(HexFormat.of()::formatHex).toList());
        final List<byte[]> other = router.punted();
        assertEquals(1, other.size());
        assertArrayEquals(
            TestFrame.ipv4().source("10.20.0.2").destination("10.20.0.1").payload(60).bytes(), other.get(0));
        router.assertBalanced();
    }

    @Test
    void shouldLeaveAVlanToTheKernelWhoseForwardingIsOff()
    {
        open();
        final int number = vlans.get(0).get(0x8100_0064L);
        set(number, new InterfacePolicy(false, ReversePath.OFF, false));
        final byte[] frame = tagged(TAG_100, TestFrame.ipv4().source("10.100.0.2").destination("10.0.1.2").bytes());
        assertEquals(0, router.forward(frame).size());
        assertArrayEquals(frame, router.sent(router.kernelEnd()).get(0));
    }

    @Test
    void shouldCheckTheReversePathOfTheVlan()
    {
        open();
        final int number = vlans.get(0).get(0x8100_0064L);
        set(number, new InterfacePolicy(true, ReversePath.STRICT, true));
        assertEquals(1, router.forward(
            tagged(TAG_100, TestFrame.ipv4().source("10.100.0.2").destination("10.0.1.2").bytes())).size());
        // The same port, another VLAN.
        assertEquals(0, router.forward(
            tagged(TAG_100, TestFrame.ipv4().source("10.30.0.2").destination("10.0.1.2").bytes())).size());
        assertEquals(0, router.forward(
            tagged(TAG_100, TestFrame.ipv4().source("10.0.0.2").destination("10.0.1.2").bytes())).size());
        assertEquals(2, router.report().get(DropReason.IPV4_REVERSE_PATH));
    }

    /** Two VLANs with the same settings are one batch: each frame counts by the VLAN that it came in. */
    @Test
    void shouldTreatEveryFrameOfAMixedBatchByTheSettingsOfItsVlan()
    {
        open();
        final String[] tags = {"", TAG_100, TAG_300, QINQ};
        final String[] sources = {"10.0.0.2", "10.100.0.2", "10.30.0.2", "10.20.0.2"};
        final int[] numbers = {0, vlans.get(0).get(0x8100_0064L), vlans.get(0).get(0x8100_012CL),
            vlans.get(0).get(0x88A8_000A_8100_0014L)};
        set(numbers[1], new InterfacePolicy(true, ReversePath.STRICT, true));
        set(numbers[2], new InterfacePolicy(true, ReversePath.STRICT, true));
        set(numbers[3], new InterfacePolicy(false, ReversePath.OFF, false));
        final SplittableRandom random = new SplittableRandom(4);
        final List<Integer> toBeSent = new ArrayList<>();
        final int[] received = new int[tags.length];
        int toKernel = 0;
        for (int i = 0; i < 120; i++)
        {
            final int vlan = random.nextInt(tags.length);
            final int source = random.nextInt(tags.length);
            received[vlan]++;
            router.receive(0, tagged(tags[vlan],
                TestFrame.ipv4().source(sources[source]).destination("10.200.1.2").identification(i).bytes()));
            if (vlan == 3)
            {
                toKernel++;
            }
            else if (vlan == 0 || vlan == source)
            {
                toBeSent.add(i);
            }
        }
        router.run();
        assertEquals(toBeSent, router.sent(1).stream()
            .map(frame -> TestFrame.u16(frame, TestFrame.ETHERNET + 4 + 4)).sorted().toList());
        assertEquals(toKernel, router.sent(router.kernelEnd()).size());
        assertEquals(120 - toKernel - toBeSent.size(), router.report().get(DropReason.IPV4_REVERSE_PATH));
        for (int vlan = 1; vlan < tags.length; vlan++)
        {
            assertEquals(received[vlan], traffic.get(numbers[vlan], VlanTraffic.Counter.RX_FRAMES));
        }
        router.assertBalanced();
    }

    private void set(final int number, final InterfacePolicy policy)
    {
        router.interfaces.set(number, router.interfaces.get(number).with(policy));
    }

    @Test
    void shouldSendIcmpErrorsFromTheAddressOfTheVlanAndWithItsTags()
    {
        open();
        router.receive(0, tagged(QINQ, TestFrame.ipv4().source("10.20.0.2").destination("10.0.1.2").ttl(1).bytes()));
        router.run();
        final byte[] error = router.sent(0).get(0);
        assertEquals(QINQ + "0800", HexFormat.of().formatHex(error, ADDRESSES, ADDRESSES + 10));
        assertEquals(11, TestFrame.u8(error, TestFrame.ETHERNET + 8 + 20));
        assertEquals(TestFrame.ip("10.20.0.1"), TestFrame.s32(error, TestFrame.ETHERNET + 8 + 12));
        router.assertBalanced();
    }

    @Test
    void shouldCountOnlyThePacketAgainstTheMtuOfTheVlan()
    {
        open();
        final TestFrame fits = TestFrame.ipv4().source("10.100.0.2").destination("10.200.1.2").payload(MTU - 20);
        assertEquals(14 + 4 + MTU, router.forward(tagged(TAG_100, fits.flagsAndOffset(0x4000).bytes())).get(0).length);
        router.receive(0, tagged(TAG_100, fits.payload(MTU - 19).bytes()));
        router.run();
        final byte[] error = router.sent(0).get(0);
        assertEquals(TAG_100, HexFormat.of().formatHex(error, ADDRESSES, ADDRESSES + 4));
        assertEquals(0x0304, TestFrame.u16(error, TestFrame.ETHERNET + 4 + 20));
        assertEquals(MTU, TestFrame.u16(error, TestFrame.ETHERNET + 4 + 20 + 6));
        final List<byte[]> fragments = router.forward(tagged(TAG_100, fits.flagsAndOffset(0).bytes()));
        assertEquals(2, fragments.size());
        for (final byte[] fragment : fragments)
        {
            assertEquals(TAG_200 + "08004500", HexFormat.of().formatHex(fragment, ADDRESSES, ADDRESSES + 8));
            assertEquals(0, TestFrame.checksumOf(fragment, TestFrame.ETHERNET + 4, 20));
        }
        router.assertBalanced();
    }

    @Test
    void shouldHoldFramesForANeighbourOfAVlan()
    {
        open();
        final TestFrame frame = TestFrame.ipv4().source("10.100.0.2").destination("10.200.1.9").payload(60);
        assertEquals(0, router.forward(tagged(TAG_100, frame.bytes())).size());
        final int egress = vlans.get(1).get(0x8100_00C8L);
        assertEquals(List.of(egress + " 10.200.1.9"), router.resolveRequests);
        router.adjacencies.set(900, Adjacency.forward(
            egress, IpAddress.parse("10.200.1.9"), MTU, RouterFixture.hostMac(1), RouterFixture.routerMac(1)));
        router.route("10.200.1.9", 32, 900);
        router.run();
        assertArrayEquals(tagged(TAG_200, routed(frame, 1)), router.sent(1).get(0));
        router.assertBalanced();
    }

    @Test
    void shouldWriteTheConfiguredPcp()
    {
        open();
        vlan(1, "8100a190", 40, MTU);
        final TestFrame frame = TestFrame.ipv4().destination("10.40.1.2").payload(60);
        assertArrayEquals(tagged("8100a190", routed(frame, 1)), router.forward(frame.bytes()).get(0));
    }

    /** As {@code Ipv4Rewrite} should have done it: addresses, TTL, checksum. */
    private static byte[] routed(final TestFrame frame, final int port)
    {
        final byte[] bytes = frame.ttl(63).bytes();
        frame.ttl(64);
        System.arraycopy(TestFrame.mac("02:00:00:00:02:0" + port), 0, bytes, 0, 6);
        System.arraycopy(TestFrame.mac("02:00:00:00:01:0" + port), 0, bytes, 6, 6);
        return bytes;
    }

    private static byte[] tagged(final String tags, final byte[] frame)
    {
        final String hex = HexFormat.of().formatHex(frame);
        return TestFrame.hex(hex.substring(0, 2 * ADDRESSES) + tags + hex.substring(2 * ADDRESSES));
    }
}
