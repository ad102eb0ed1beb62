package org.fibnuma.binding.netfilter;

import org.fibnuma.binding.libc.KernelVariable;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.netlink.NetlinkAttributeFlyweight;
import org.fibnuma.binding.netlink.NetlinkExchange;
import org.fibnuma.binding.netlink.NetlinkLayout;
import org.fibnuma.binding.netlink.NetlinkRequest;
import org.fibnuma.core.Require;
import org.fibnuma.core.UserException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The table in the kernel of a router between two hosts, whose connections are echo requests. */
@Timeout(60)
class FlowLabelTableSystemTest
{
    private static final String NAME = "fibnuma-test";
    /** linux/netfilter/nfnetlink_conntrack.h, Linux 6.1: subsystem 1, IPCTNL_MSG_CT_GET 1. */
    private static final int CT_GET = 1 << 8 | 1;
    private static final int CTA_LABELS = 22;

    @AutoClose
    private final FilterNamespace left = new FilterNamespace();
    @AutoClose
    private final FilterNamespace right = new FilterNamespace();
    @AutoClose
    private final FilterNamespace router = new FilterNamespace();
    private int[] interfaces;

    @BeforeEach
    void connect()
    {
        Require.program("ping", "iputils-ping");
        router.ip("link add r0 type veth peer name h0 netns " + left.name(),
            "link add r1 type veth peer name h0 netns " + right.name(),
            "addr add 10.0.0.1/24 dev r0", "addr add 10.0.1.1/24 dev r1", "link set r0 up", "link set r1 up");
        left.ip("addr add 10.0.0.2/24 dev h0", "link set h0 up", "route add default via 10.0.0.1");
        right.ip("addr add 10.0.1.2/24 dev h0", "link set h0 up", "route add default via 10.0.1.1");
        KernelVariable.set(router.name(), "ipv4.ip_forward", "1");
        interfaces = router.call(
            () -> new int[]{LibC.get().if_nametoindex("r0"), LibC.get().if_nametoindex("r1")});
    }

    @Test
    void shouldLabelWhatTheRulesetAccepts()
    {
        router.nft("table ip user { chain f { type filter hook forward priority 0; policy drop; " +
            "ct state established,related accept\n iifname \"r0\" accept\n }\n }");
        try (FlowLabelTable table = open())
        {
            final FlowLabels labels = new FlowLabels(2);
            table.update(labels, interfaces, 1);
            ping(2);
            final FlowLabels.Labels expected =
                labels.label(0, 1, FlowLabels.ORIGINAL, 1).or(labels.label(1, 0, FlowLabels.REPLY, 1));
            assertEquals(List.of(expected), labelsOfConnections());

            table.update(labels, interfaces, 9);
            ping(2);
            assertTrue(labelsOfConnections().contains(
                labels.label(0, 1, FlowLabels.ORIGINAL, 9).or(labels.label(1, 0, FlowLabels.REPLY, 9))));

            table.update(labels, new int[]{interfaces[0], 0}, 2);
            router.nft("flush chain ip user f");
            router.nft("table ip user { chain f { ct state established,related accept\n iifname r0 accept\n }\n }");
            ping(2);
            assertTrue(labelsOfConnections().contains(new FlowLabels.Labels(0, 0)),
                "the original direction leaves by no port, the replies come in by none");
        }
    }

    /** Bit N is the label of nft's {@code ct label N}. */
    @Test
    void shouldNumberLabelsAsNftDoes()
    {
        final FlowLabels labels = new FlowLabels(60);
        final int[] many = new int[60];
        many[47] = interfaces[0];
        many[11] = interfaces[1];
        try (FlowLabelTable table = open())
        {
            table.update(labels, many, 1);
            final FlowLabels.Labels expected = labels.label(47, 11, FlowLabels.ORIGINAL, 1);
            final List<Integer> bits = IntStream.range(0, 128).boxed().filter(bit ->
                ((bit < 64 ? expected.low() >>> bit : expected.high() >>> bit - 64) & 1) != 0).toList();
            assertEquals(12, bits.size());
            final StringBuilder rules = new StringBuilder();
            bits.forEach(bit -> rules.append("ct label ").append(bit).append(" counter\n"));
            rules.append("ct label ").append(bits.get(0) ^ 1).append(" counter\n");
            router.nft("table ip see { chain f { type filter hook prerouting priority 0\n" + rules + "}\n }");
            ping(3);
            final List<String> counters = router.run("", "nft", "list", "chain", "ip", "see", "f").lines()
                .filter(line -> line.contains("ct label")).map(line -> line.replaceAll(".*packets (\\d+).*", "$1"))
                .toList();
            assertEquals(bits.size() + 1, counters.size());
            assertEquals(List.of("0"), counters.stream().skip(bits.size()).toList());
            assertFalse(counters.subList(0, bits.size()).contains("0"), counters.toString());
        }
    }

    @Test
    void shouldBeListedByNftAndGoWithItsSocket()
    {
        final FlowLabelTable table = open();
        table.update(new FlowLabels(2), new int[]{0, 0}, 0);
        assertFalse(listed().contains("ct label"), "no rule without an interface");
        table.update(new FlowLabels(2), interfaces, 0);
        final String listed = listed();
        assertTrue(listed.contains("table inet " + NAME), listed);
        assertTrue(listed.contains("priority 2147483646"), listed);
        assertTrue(listed.matches("(?s).*ct state established ct label set iif \\. oif \\. ct direction map " +
            "\\{.*\"r0\" \\. \"r1\" \\. original : 25.*"), listed);
        assertThrows(AssertionError.class, () -> router.nft("delete table inet " + NAME), "it has an owner");
        assertThrows(UserException.class, this::open, "the name is in use");
        table.close();
        assertEquals("", listed());
    }

    @Test
    void shouldTakeAsManyInterfacesAsThereAreCodes()
    {
        final int[] many = IntStream.rangeClosed(1, FlowLabels.MAX_INTERFACES).toArray();
        try (FlowLabelTable table = open())
        {
            table.update(new FlowLabels(many.length), many, 1);
            Arrays.setAll(many, i -> i + FlowLabels.MAX_INTERFACES + 1);
            table.update(new FlowLabels(many.length), many, 0);
            final UserException ex = assertThrows(UserException.class, () ->
                table.update(new FlowLabels(2), new int[]{7, 7}, 0), "an interface twice");
            assertTrue(ex.getMessage().contains("EEXIST"), ex.getMessage());
            table.update(new FlowLabels(2), interfaces, 0);
        }
    }

    @Test
    void shouldBeNoRestrictionAndNoChange()
    {
        try (FlowLabelTable table = open(); PacketFilters filters = router.call(() -> PacketFilters.open(true)))
        {
            table.update(new FlowLabels(2), interfaces, 0);
            assertTrue(filters.poll());
            assertEquals(List.of("nftables table inet " + NAME +
                ", chain label (hook postrouting): ct label (labels in use) set in rule N"),
                texts(filters).stream().map(text -> text.replaceAll("rule \\d+", "rule N")).toList(),
                "as another process sees it");
            filters.leaveOut(table.name(), table.portId());
            table.update(new FlowLabels(2), interfaces, 1);
            assertFalse(filters.poll());
            assertEquals(List.of(), texts(filters));
            router.nft("add table ip other");
            assertTrue(filters.poll());
            assertFalse(filters.poll());
        }
    }

    private FlowLabelTable open()
    {
        return router.call(() -> FlowLabelTable.open(NAME));
    }

    private static List<String> texts(final PacketFilters filters)
    {
        return filters.nftables(Map.of(), Set.of()).stream().map(restriction -> restriction.text()).toList();
    }

    private String listed()
    {
        return router.run("", "nft", "list", "ruleset");
    }

    private void ping(final int packets)
    {
        left.run("", "ping", "-q", "-c", Integer.toString(packets), "-i", "0.05", "10.0.1.2");
    }

    private List<FlowLabels.Labels> labelsOfConnections()
    {
        final List<FlowLabels.Labels> found = new ArrayList<>();
        final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();
        try (NetlinkExchange exchange =
            router.call(() -> new NetlinkExchange(NetlinkLayout.NETLINK_NETFILTER)))
        {
            final NetlinkRequest request = new NetlinkRequest(64).begin(CT_GET, NetlinkLayout.NLM_F_DUMP,
                exchange.nextSequence(), NftablesLayout.LENGTH)
                .putByte(NftablesLayout.FAMILY_OFFSET, NftablesLayout.NFPROTO_IPV4);
            assertEquals(0, exchange.dump(request, message ->
            {
                message.wrapAttributes(attributes, NftablesLayout.LENGTH);
                final boolean labelled = attributes.find(CTA_LABELS);
                found.add(labelled ? new FlowLabels.Labels(attributes.buffer().getLong(attributes.valueOffset()),
                    attributes.buffer().getLong(attributes.valueOffset() + Long.BYTES)) :
                    new FlowLabels.Labels(0, 0));
            }));
        }
        return found;
    }
}
