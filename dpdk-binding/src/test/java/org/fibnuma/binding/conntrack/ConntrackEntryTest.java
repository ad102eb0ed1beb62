package org.fibnuma.binding.conntrack;

import org.fibnuma.binding.netlink.HexMessage;
import org.fibnuma.core.flow.FlowTuple;
import org.fibnuma.core.wire.IpAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.fibnuma.binding.netlink.HexAttribute.attribute;
import static org.fibnuma.binding.netlink.HexAttribute.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ConntrackEntryTest
{
    private static final int IPCTNL_MSG_CT_NEW = 0x100;
    private static final String IPV4 = "02000000";
    private static final String IPV6 = "0a000000";
    private static final String FROM = attribute(1, "c0000201");
    private static final String TO = attribute(2, "c0000202");
    private static final String UDP = attribute(1, "11");
    private static final String PORTS = UDP + attribute(2, "04d2") + attribute(3, "0035");
    private static final String TUPLE = attribute(1, FROM + TO) + attribute(2, PORTS);
    private static final String ENTRY = attribute(1, TUPLE) + attribute(2, TUPLE);

    private final ConntrackEntry.Decoder decoder = new ConntrackEntry.Decoder();

    @Test
    void shouldReadANewConnectionOfTheKernel()
    {
        final ConntrackEntry entry = decode(Samples.TCP_NEW);

        assertEquals("tcp 192.0.2.2:57554 > 198.51.100.2:8080", entry.original().toString());
        assertEquals("tcp 198.51.100.2:8080 > 198.51.100.1:57554", entry.reply().toString());
        assertEquals(0x5C7858AD, entry.id());
        assertEquals(ConntrackEntry.CONFIRMED | ConntrackEntry.SRC_NAT | ConntrackEntry.SRC_NAT_DONE |
            ConntrackEntry.DST_NAT_DONE, entry.status());
        assertEquals(120, entry.timeoutSeconds());
        assertEquals(1, entry.tcpState());
        assertEquals(3, entry.originalTcpFlags());
        assertEquals(0, entry.replyTcpFlags());
        assertTrue(entry.hasLabels());
        assertEquals(1L << 5, entry.labelsLow());
        assertEquals(0, entry.labelsHigh());
        assertEquals(0, entry.mark());
        assertEquals(0, entry.zone());
        assertFalse(entry.hasDirectionalZone() || entry.hasHelper() || entry.hasSequenceAdjustment() ||
            entry.hasSynproxy() || entry.hasMaster());
    }

    @Test
    void shouldReadAnUpdateOfTheKernel()
    {
        final ConntrackEntry entry = decode(Samples.TCP_ESTABLISHED);

        assertEquals(ConntrackEntry.TCP_ESTABLISHED, entry.tcpState());
        assertEquals(432_000, entry.timeoutSeconds());
        assertTrue((entry.status() & ConntrackEntry.ASSURED) != 0);
        assertEquals(ConntrackEntry.TCP_MAXACK_SET | 3, entry.originalTcpFlags());
        assertEquals(ConntrackEntry.TCP_MAXACK_SET | 3, entry.replyTcpFlags());
        assertFalse(entry.hasLabels());
    }

    @Test
    void shouldReportWhatAMessageDoesNotHaveAsAbsent()
    {
        final ConntrackEntry entry = decode(IPV4 + ENTRY);

        assertEquals("udp 192.0.2.1:1234 > 192.0.2.2:53", entry.original().toString());
        assertEquals(ConntrackEntry.ABSENT, entry.timeoutSeconds());
        assertEquals(ConntrackEntry.ABSENT, entry.tcpState());
        assertEquals(ConntrackEntry.ABSENT, entry.originalTcpFlags());
        assertEquals(ConntrackEntry.ABSENT, entry.replyTcpFlags());
    }

    @Test
    void shouldReadZonesMarkAndLabels()
    {
        final ConntrackEntry entry = decode(IPV4 + ENTRY + attribute(18, "fffe") + attribute(8, "80000001") +
            attribute(22, "0100000000000000" + "0000000010000080"));

        assertEquals(0xFFFE, entry.zone());
        assertFalse(entry.hasDirectionalZone());
        assertEquals(0x8000_0001, entry.mark());
        assertEquals(1, entry.labelsLow());
        assertEquals(1L << 100 - 64 | 1L << 127 - 64, entry.labelsHigh());
    }

    @Test
    void shouldReadZonesOfOneDirection()
    {
        final String zoned = TUPLE + attribute(3, "0007");

        assertTrue(decode(IPV4 + attribute(1, zoned) + attribute(2, TUPLE)).hasDirectionalZone());
        assertTrue(decode(IPV4 + attribute(1, TUPLE) + attribute(2, zoned)).hasDirectionalZone());
    }

    /** Bits of the status, and the attributes CTA_HELP, CTA_SEQ_ADJ_ORIG, CTA_SYNPROXY, CTA_TUPLE_MASTER. */
    @ParameterizedTest
    @CsvSource({"5, 00, 1", "3, 00002000, 1", "15, 00, 2", "16, 00, 2", "3, 00000040, 2", "24, 00, 4", "14, 00, 8",
        "3, 00000001, 8"})
    void shouldReadWhatMakesAConnectionSpecial(final int type, final String value, final int expected)
    {
        final ConntrackEntry entry = decode(IPV4 + ENTRY + attribute(type, value));

        assertEquals(expected, (entry.hasHelper() ? 1 : 0) | (entry.hasSequenceAdjustment() ? 2 : 0) |
            (entry.hasSynproxy() ? 4 : 0) | (entry.hasMaster() ? 8 : 0));
    }

    @Test
    void shouldReadQueriesOfBothFamilies()
    {
        final String from = attribute(3, "20010db8000000000000000000000001");
        final String to = attribute(4, "20010db8000000000000000000000002");
        final String v6 = attribute(1, from + to) +
            attribute(2, attribute(1, "3a") + attribute(7, "9c40") + attribute(8, "80") + attribute(9, "00"));
        final String v4 = attribute(1, FROM + TO) +
            attribute(2, attribute(1, "01") + attribute(4, "0007") + attribute(5, "08") + attribute(6, "01"));

        assertEquals("icmpv6 2001:db8::1 > 2001:db8::2 id 40000 type 128 code 0",
            decode(IPV6 + attribute(1, v6) + attribute(2, v6)).original().toString());
        assertEquals("icmp 192.0.2.1 > 192.0.2.2 id 7 type 8 code 1",
            decode(IPV4 + attribute(1, v4) + attribute(2, v4)).reply().toString());
    }

    @Test
    void shouldReadProtocolsWithoutPorts()
    {
        final String tuple = attribute(1, FROM + TO) + attribute(2, attribute(1, "32"));
        final IpAddress from = IpAddress.parse("192.0.2.1");
        final IpAddress to = IpAddress.parse("192.0.2.2");

        assertEquals(new FlowTuple(from.high(), from.low(), to.high(), to.low(), 50, 0, 0),
            decode(IPV4 + attribute(1, tuple) + attribute(2, tuple)).original());
    }

    @ParameterizedTest
    @ValueSource(strings = {"02", "00000000", "02000000", "07000000"})
    void shouldPassOverOtherFamiliesAndMessagesWithoutTuples(final String payload)
    {
        assertNull(decode(payload));
        assertNull(decode(payload + attribute(1, TUPLE)));
    }

    @Test
    void shouldPassOverIncompleteTuples()
    {
        assertNotNull(decode(IPV4 + ENTRY));
        assertNull(decode(IPV6 + ENTRY));
        assertNull(decode("00000000" + ENTRY));
        assertNull(decode(IPV4 + attribute(2, TUPLE)));
        assertNull(decode(IPV4 + ENTRY + "ff"));
        for (final String tuple : new String[]{attribute(1, FROM + TO), attribute(2, PORTS),
            attribute(1, FROM) + attribute(2, PORTS), attribute(1, TO) + attribute(2, PORTS),
            attribute(1, FROM + attribute(2, "c00002")) + attribute(2, PORTS),
            attribute(1, FROM + TO) + attribute(2, attribute(1, "")),
            attribute(1, FROM + TO + "01") + attribute(2, PORTS),
            attribute(1, FROM + TO) + attribute(2, PORTS + "ffff0100")})
        {
            assertNull(decode(IPV4 + attribute(1, tuple) + attribute(2, TUPLE)), tuple);
        }
    }

    /** IPv6 packets with such addresses exist; {@link FlowTuple} has no way to tell them from IPv4. */
    @Test
    void shouldPassOverMappedAddresses()
    {
        final String mapped = attribute(1, attribute(3, "00000000000000000000ffffc0000201") +
            attribute(4, "00000000000000000000ffffc0000202")) + attribute(2, PORTS);

        assertNull(decode(IPV6 + attribute(1, mapped) + attribute(2, mapped)));
    }

    @Test
    void shouldTakeValuesThatAreTooShortAsAbsent()
    {
        final ConntrackEntry entry = decode(IPV4 + ENTRY + attribute(7, "0000") + attribute(22, "0000ffff") +
            attribute(4, attribute(1, attribute(1, "") + attribute(4, "08") + attribute(5, ""))) +
            attribute(5, text("ftp")));

        assertEquals(ConntrackEntry.ABSENT, entry.timeoutSeconds());
        assertFalse(entry.hasLabels());
        assertEquals(ConntrackEntry.ABSENT, entry.tcpState());
        assertEquals(ConntrackEntry.ABSENT, entry.originalTcpFlags());
        assertEquals(ConntrackEntry.ABSENT, entry.replyTcpFlags());
        assertTrue(entry.hasHelper());
    }

    private ConntrackEntry decode(final String payload)
    {
        return decoder.decode(HexMessage.message(IPCTNL_MSG_CT_NEW, 0, payload));
    }
}
