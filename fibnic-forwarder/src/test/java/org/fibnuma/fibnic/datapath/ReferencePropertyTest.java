package org.fibnuma.fibnic.datapath;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;
import org.fibnuma.core.wire.ReferenceRouter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Compares what leaves the router with a slow router that shares no code with it: the bytes of every packet, and that
 * nothing else leaves but the router's own messages.
 */
class ReferencePropertyTest
{
    private static final int ETHERNET = TestFrame.ETHERNET;
    private static final byte[] ROUTER_MAC = TestFrame.hex("020000000100");
    private static final int ICMP = 1;
    private static final int ICMPV6 = 58;

    private TwinRouters routers;
    private ReferenceRouter reference;
    private final List<List<byte[]>> expected = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    /** Addresses of packets of which the reference does not know what becomes. */
    private final Set<String> unknown = new HashSet<>();

    @BeforeProperty
    void before()
    {
        routers = new TwinRouters();
        reference = new ReferenceRouter(RouterFixture.MTU, RouterFixture.MTU, RouterFixture.MTU);
        for (int port = 0; port < TwinRouters.PORTS; port++)
        {
            reference.unknown("10.0." + port + ".0/24");
            reference.route("10.0." + port + ".2/32", port);
            reference.unknown("2001:db8:" + port + "::/64");
            reference.route("2001:db8:" + port + "::2/128", port);
        }
        // Routes of TwinRouters. Unknown are those whose neighbour is not resolved, and a link with a small MTU.
        reference.route("20.0.0.0/8", 1);
        reference.route("20.1.0.0/16", 2);
        reference.route("20.1.2.128/25", 1);
        reference.unknown("20.2.0.0/16");
        reference.route("20.3.0.0/16", 0);
        reference.unknown("20.4.0.0/16");
        reference.drop("20.6.0.0/16");
        reference.drop("20.7.0.0/16");
        reference.drop("20.8.0.0/16");
        reference.unknown("20.9.0.0/16");
        reference.route("2001:db8:8000::/33", 1);
        reference.route("2001:db8:8001::/48", 2);
        reference.unknown("2001:db8:8002::/48");
        reference.route("2001:db8:8003::/48", 0);
        reference.unknown("2001:db8:8004::/48");
        reference.drop("2001:db8:8005::/48");
        reference.drop("2001:db8:8006::/48");
        reference.drop("2001:db8:8007::/48");
        reference.drop("2001:db8:8008::/48");
        reference.route("::/96", 1);
    }

    @AfterProperty
    void after()
    {
        routers.close();
    }

    @Property(tries = 1500)
    void shouldSendWhatTheReferenceSends(
        @ForAll @Size(min = 1, max = 150) final List<Long> seeds,
        @ForAll @IntRange(max = 100) final int ipv6Percent,
        @ForAll @IntRange(max = 100) final int unusualPercent,
        @ForAll @IntRange(max = 100) final int damagedPercent)
    {
        final RouterFixture router = routers.classifying;
        expected.forEach(List::clear);
        unknown.clear();
        for (final long seed : seeds)
        {
            final byte[] frame = frame(new Random(seed), ipv6Percent, unusualPercent, damagedPercent);
            judge(frame);
            router.receive(0, frame);
        }
        router.run();
        for (int port = 0; port < TwinRouters.PORTS; port++)
        {
            compare(expected.get(port), router.sent(port), port);
        }
        routers.settle();
    }

    private byte[] frame(
        final Random random, final int ipv6Percent, final int unusualPercent, final int damagedPercent)
    {
        final boolean isUnusual = random.nextInt(100) < unusualPercent;
        final byte[] frame = random.nextInt(100) < ipv6Percent ?
            isUnusual ? FrameClassifierPropertyTest.unusualIpv6(random) :
                FrameClassifierPropertyTest.ordinaryIpv6(random).bytes() :
            isUnusual ? FrameClassifierPropertyTest.unusual(random, routers) :
                FrameClassifierPropertyTest.ordinary(random).bytes();
        if (random.nextInt(100) < damagedPercent && frame.length > ETHERNET)
        {
            frame[ETHERNET + random.nextInt(frame.length - ETHERNET)] ^= (byte)(1 << random.nextInt(Byte.SIZE));
            if (random.nextBoolean() && frame.length >= ETHERNET + 20)
            {
                FrameClassifierPropertyTest.correctChecksum(frame);
            }
        }
        return frame;
    }

    private void judge(final byte[] frame)
    {
        if (frame.length < ETHERNET || !Arrays.equals(frame, 0, ROUTER_MAC.length, ROUTER_MAC, 0, ROUTER_MAC.length))
        {
            return;
        }
        final ReferenceRouter.Verdict verdict = reference.judge(frame);
        if (verdict.fate() == ReferenceRouter.Fate.FORWARDED)
        {
            expected.get(verdict.link()).add(verdict.bytes());
        }
        else if (verdict.fate() == ReferenceRouter.Fate.UNKNOWN)
        {
            unknown.add(addresses(packet(frame)));
        }
    }

    private void compare(final List<byte[]> packets, final List<byte[]> sent, final int port)
    {
        int next = 0;
        for (final byte[] frame : sent)
        {
            final byte[] packet = packet(frame);
            if (next < packets.size() && Arrays.equals(packets.get(next), packet))
            {
                next++;
            }
            else
            {
                final String missing = next < packets.size() ? HexFormat.of().formatHex(packets.get(next)) : "nothing";
                assertTrue(isOwnMessage(packet) || unknown.contains(addresses(packet)),
                    () -> "port " + port + " sends " + HexFormat.of().formatHex(packet) + " and not " + missing);
            }
        }
        final int found = next;
        assertEquals(packets.size(), found,
            () -> "port " + port + " does not send " + HexFormat.of().formatHex(packets.get(found)));
    }

    private static byte[] packet(final byte[] frame)
    {
        return Arrays.copyOfRange(frame, ETHERNET, frame.length);
    }

    /** An ICMP or ICMPv6 message from an address of the router. */
    private static boolean isOwnMessage(final byte[] packet)
    {
        final String hex = HexFormat.of().formatHex(packet);
        return packet[0] >> 4 == 4 ?
            packet[9] == ICMP && hex.substring(24, 32).matches("0a000[0-2]01") :
            packet[6] == ICMPV6 && hex.substring(16, 48).matches("20010db8000[0-2]0{19}1|fe80.*");
    }

    private static String addresses(final byte[] packet)
    {
        final boolean isIpv6 = packet.length > 0 && packet[0] >> 4 == 6;
        final int from = isIpv6 ? 8 : 12;
        final int to = isIpv6 ? 40 : 20;
        return packet.length < to ? "" : HexFormat.of().formatHex(packet, from, to);
    }
}
