package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.fibnic.acl.AccessAction;
import org.fibnuma.fibnic.acl.AccessList;
import org.fibnuma.fibnic.acl.AccessLists;
import org.fibnuma.fibnic.acl.AccessRule;
import org.fibnuma.fibnic.acl.AccessTable;
import org.fibnuma.fibnic.acl.FragmentMatch;
import org.fibnuma.fibnic.acl.PortRange;
import org.fibnuma.fibnic.acl.TcpFlags;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Access lists on the way of a frame: frames from host 0 to host 1, with a list at one of the two ports. */
class AccessStagesTest
{
    private static final String IN = "in";
    private static final String PORT_53 = "00350035";

    private final AccessTable table = new AccessTable();
    private final RouterFixture router =
        new RouterFixture(2, context -> context.accessTable(table).forwardsIpv6(true));

    @AfterEach
    void after()
    {
        router.close();
    }

    private static AccessRule rule(final AccessAction action, final int protocol, final String source, final int port)
    {
        return new AccessRule(
            true, true, source == null ? null : IpPrefix.parse(source), null, protocol, PortRange.ANY,
            port < 0 ? PortRange.ANY : PortRange.of(port), 0, 0, AccessRule.ANY, FragmentMatch.ANY, action, 0);
    }

    private void use(final String direction, final AccessAction defaultAction, final AccessRule... rules)
    {
        final AccessList list = new AccessList("list", List.of(rules), defaultAction);
        final List<String> none = Arrays.asList(null, null);
        table.replace(new AccessLists(
            List.of(list), direction.equals(IN) ? Arrays.asList("list", null) : none,
            direction.equals(IN) ? none : Arrays.asList(null, "list"), 1));
    }

    private long frames(final int rule)
    {
        return table.current().lists().get(0).frames(rule);
    }

    private static byte[] udp(final String source, final int port)
    {
        return TestFrame.ipv4().source(source).payload(TestFrame.hex(
            "0035" + String.format("%04x", port) + "000c0000" + "01020304")).bytes();
    }

    @ParameterizedTest
    @ValueSource(strings = {"in", "out"})
    void shouldJudgeByTheFirstRule(final String direction)
    {
        use(direction, AccessAction.DENY,
            rule(AccessAction.DENY, 17, "10.0.0.2/32", 53), rule(AccessAction.PERMIT, 17, "10.0.0.0/24", -1));
        router.receive(0, udp("10.0.0.2", 53));
        router.receive(0, udp("10.0.0.2", 54));
        router.receive(0, udp("10.0.0.3", 53));
        router.receive(0, udp("192.0.2.1", 53));
        router.run();
        assertEquals(2, router.sent(1).size());
        assertEquals(1, frames(0));
        assertEquals(2, frames(1));
        assertEquals(1, frames(2), "default");
        assertEquals(2L * udp("10.0.0.3", 1).length, table.current().lists().get(0).bytes(1));
        assertEquals(2, router.report().get(DropReason.ACCESS_DENIED));
        assertEquals(0, router.sent(0).size());
        router.assertBalanced();
    }

    /** Frames of all kinds in one batch: those that pass leave unchanged, in their order. */
    @ParameterizedTest
    @ValueSource(strings = {"in", "out"})
    void shouldKeepTheOrderOfWhatPasses(final String direction)
    {
        use(direction, AccessAction.PERMIT, rule(AccessAction.DENY, 6, null, -1));
        final int frames = 100;
        for (int i = 0; i < frames; i++)
        {
            router.receive(0, i % 5 == 4 ?
                TestFrame6.ipv6().nextHeader(i % 2 == 0 ? 6 : 17).payload(40).bytes() :
                TestFrame.ipv4().identification(i).protocol(i % 3 == 0 ? 6 : 17)
                    .options(i % 7 == 0 ? "01010100" : "").payload(40).bytes());
        }
        router.run();
        final List<byte[]> sent = router.sent(1);
        int next = 0;
        int denied = 0;
        for (int i = 0; i < frames; i++)
        {
            if (i % 5 == 4 ? i % 2 == 0 : i % 3 == 0)
            {
                denied++;
            }
            else if (i % 5 != 4)
            {
                assertEquals(i, TestFrame.u16(sent.get(next++), TestFrame.ETHERNET + 4));
            }
            else
            {
                assertEquals(0x86DD, TestFrame.u16(sent.get(next++), 12));
            }
        }
        assertEquals(next, sent.size());
        assertEquals(denied, router.report().get(DropReason.ACCESS_DENIED));
        assertEquals(denied, frames(0));
        router.assertBalanced();
    }

    @ParameterizedTest
    @ValueSource(strings = {"in", "out"})
    void shouldTellTheSenderThatItIsProhibited(final String direction)
    {
        use(direction, AccessAction.PROHIBIT);
        router.receive(0, udp("10.0.0.2", 53));
        router.receive(0, TestFrame6.ipv6().payload(20).bytes());
        router.run();
        final List<byte[]> answers = router.sent(0);
        assertEquals(2, answers.size());
        assertEquals(0x030D, TestFrame.u16(answers.get(0), TestFrame.ETHERNET + 20));
        assertEquals(0x0101, TestFrame.u16(answers.get(1), TestFrame.ETHERNET + 40));
        assertEquals(0, router.sent(1).size());
        assertEquals(2, router.report().get(DropReason.ACCESS_PROHIBITED));
        router.assertBalanced();
    }

    @Test
    void shouldCountAndGoOn()
    {
        use(IN, AccessAction.DENY,
            rule(AccessAction.COUNT, 17, null, -1), rule(AccessAction.COUNT, 17, null, 53),
            rule(AccessAction.PERMIT, AccessRule.ANY, "10.0.0.2/32", -1));
        router.receive(0, udp("10.0.0.2", 53));
        router.receive(0, udp("10.0.0.9", 80));
        router.run();
        assertEquals(1, router.sent(1).size());
        assertEquals(2, frames(0));
        assertEquals(1, frames(1));
        assertEquals(1, frames(2));
        assertEquals(1, frames(3));
    }

    /** Whole, first fragment, later fragment, UDP header cut off, all with the same first bytes. */
    @ParameterizedTest
    @CsvSource({"0x0000,8,1", "0x2000,8,1", "0x2001,8,0", "0x0001,8,0", "0x4000,8,1", "0x0000,2,0"})
    void shouldNotFindPortsInLaterFragments(final int flagsAndOffset, final int payload, final int denied)
    {
        use(IN, AccessAction.PERMIT, rule(AccessAction.DENY, 17, null, 53));
        router.receive(0, TestFrame.ipv4().flagsAndOffset(flagsAndOffset)
            .payload(Arrays.copyOf(TestFrame.hex(PORT_53 + "00080000"), payload)).bytes());
        router.run();
        assertEquals(denied, router.report().get(DropReason.ACCESS_DENIED));
        assertEquals(1 - denied, router.sent(1).size());
    }

    @ParameterizedTest
    @CsvSource({"any,1111", "none,1000", "first,0100", "later,0011"})
    void shouldMatchFragments(final String fragments, final String denied)
    {
        final AccessRule all = AccessRule.all(AccessAction.DENY);
        use(IN, AccessAction.PERMIT, new AccessRule(
            true, true, null, null, AccessRule.ANY, all.sourcePorts(), all.destinationPorts(), 0, 0, AccessRule.ANY,
            FragmentMatch.valueOf(fragments.toUpperCase(Locale.ROOT)), AccessAction.DENY, 0));
        final int[] words = {0, 0x2000, 0x2001, 0x0001};
        for (int i = 0; i < words.length; i++)
        {
            router.receive(0, TestFrame.ipv4().flagsAndOffset(words[i]).payload(8).bytes());
            router.run();
            assertEquals(denied.charAt(i) == '1' ? 0 : 1, router.sent(1).size(), "flags " + words[i]);
        }
    }

    @ParameterizedTest
    @CsvSource({"syn,02,1", "syn,12,1", "'syn,!ack',02,1", "'syn,!ack',12,0", "'!syn',10,1", "'!syn',02,0"})
    void shouldMatchTcpFlags(final String text, final String flags, final int denied)
    {
        final int parsed = TcpFlags.parse(text);
        use(IN, AccessAction.PERMIT, new AccessRule(
            true, true, null, null, 6, PortRange.ANY, PortRange.ANY, TcpFlags.mask(parsed), TcpFlags.value(parsed),
            AccessRule.ANY, FragmentMatch.ANY, AccessAction.DENY, 0));
        final String tcp = "04000050" + "00000001" + "00000002" + "50" + flags + "0100" + "00000000";
        router.receive(0, TestFrame.ipv4().protocol(6).payload(TestFrame.hex(tcp)).bytes());
        router.receive(0, TestFrame6.ipv6().nextHeader(6).payload(TestFrame.hex(tcp)).bytes());
        router.run();
        assertEquals(2 - 2 * denied, router.sent(1).size());
    }

    /** Hop-by-hop options, a fragment header, both, a chain that is longer than the packet. */
    @ParameterizedTest
    @CsvSource({
        "0,1100000000000000 0035003500080000,1",
        "44,1100000000000001 0035003500080000,1",
        "44,1100000900000001 0035003500080000,0",
        "0,2c00000000000000 1100000000000001 0035003500080000,1",
        "0,11ff000000000000 0035003500080000,0",
        "17,0035003500080000,1",
        "17,0036003600080000,0"})
    void shouldFindPortsBehindExtensionHeaders(final int nextHeader, final String payload, final int denied)
    {
        use(IN, AccessAction.PERMIT, rule(AccessAction.DENY, 17, null, 53));
        router.receive(0, TestFrame6.ipv6().nextHeader(nextHeader).payload(TestFrame.hex(payload)).bytes());
        router.run();
        assertEquals(denied, router.report().get(DropReason.ACCESS_DENIED));
        assertEquals(1 - denied, router.sent(1).size());
    }

    @Test
    void shouldMatchDscp()
    {
        use(IN, AccessAction.PERMIT, new AccessRule(
            true, true, null, null, AccessRule.ANY, PortRange.ANY, PortRange.ANY, 0, 0, 46, FragmentMatch.ANY,
            AccessAction.DENY, 0));
        for (final int trafficClass : new int[]{46 << 2, 46 << 2 | 3, 45 << 2, 0})
        {
            router.receive(0, TestFrame.ipv4().trafficClass(trafficClass).payload(8).bytes());
            router.receive(0, TestFrame6.ipv6().trafficClass(trafficClass).payload(8).bytes());
        }
        router.run();
        assertEquals(4, router.sent(1).size());
        assertEquals(4, frames(0));
    }

    /** Judged once, and before it is fragmented: the ports are in the first fragment only. */
    @Test
    void shouldJudgeBeforeFragmenting()
    {
        use("out", AccessAction.PERMIT, rule(AccessAction.DENY, 17, null, 53));
        router.receive(0, TestFrame.ipv4()
            .payload(Arrays.copyOf(TestFrame.hex(PORT_53 + "06400000"), 1600)).bytes());
        router.receive(0, TestFrame.ipv4()
            .payload(Arrays.copyOf(TestFrame.hex("0036003606400000"), 1600)).bytes());
        router.run();
        assertEquals(2, router.sent(1).size(), "the fragments of the second");
        assertEquals(1, frames(0));
        assertEquals(1, frames(1));
        router.assertBalanced();
    }

    /** A held frame leaves by the list in force when its neighbour is resolved. */
    @Test
    void shouldJudgeHeldFramesWhenTheyLeave()
    {
        router.receive(0, TestFrame.ipv4().destination("10.0.1.99").payload(8).bytes());
        router.run();
        use("out", AccessAction.DENY);
        router.route("10.0.1.99", 32, 2);
        router.run();
        assertEquals(0, router.sent(1).size());
        assertEquals(1, router.report().get(DropReason.ACCESS_DENIED));
        assertEquals(0, router.count(ForwarderCounter.HELD));
        router.assertBalanced();
    }

    /** Own messages pass: without them path MTU discovery would end at every list. */
    @Test
    void shouldNotJudgeTheRoutersOwnMessages()
    {
        final AccessList denyAll = new AccessList("all", List.of(), AccessAction.DENY);
        table.replace(new AccessLists(
            List.of(denyAll), Arrays.asList(null, null), Arrays.asList("all", null), 1));
        router.receive(0, TestFrame.ipv4().ttl(1).payload(8).bytes());
        router.run();
        assertEquals(1, router.sent(0).size());
    }

    /** ARP and multicast are the kernel's. */
    @Test
    void shouldLeaveFramesForTheHostThatAreNotUnicastAlone()
    {
        use(IN, AccessAction.DENY);
        router.receive(0, TestFrame.ipv4().etherType(0x0806).payload(8).bytes());
        router.receive(0, TestFrame.ipv4().to("01:00:5e:00:00:05").destination("224.0.0.5").payload(8).bytes());
        router.receive(0, TestFrame6.ipv6().destination("ff02::1").payload(8).bytes());
        router.run();
        assertEquals(3, router.count(ForwarderCounter.PUNTED));
        router.receive(0, TestFrame.ipv4().destination("10.0.0.1").payload(8).bytes());
        router.run();
        assertEquals(3, router.count(ForwarderCounter.PUNTED), "unicast to the host is judged");
        assertEquals(1, router.report().get(DropReason.ACCESS_DENIED));
    }

    @Test
    void shouldChangeNothingWithoutLists()
    {
        final byte[] frame = udp("10.0.0.2", 53);
        final byte[] without = router.forward(frame).get(0);
        use(IN, AccessAction.PERMIT);
        assertArrayEquals(without, router.forward(frame).get(0));
        table.replace(AccessLists.NONE);
        assertArrayEquals(without, router.forward(frame).get(0));
    }
}
