package org.fibnuma.fibnic.fate;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class FateCountersTest
{
    private final CountersManager manager = new CountersManager(
        new UnsafeBuffer(ByteBuffer.allocateDirect(256 * CountersReader.METADATA_LENGTH)),
        new UnsafeBuffer(ByteBuffer.allocateDirect(256 * CountersReader.COUNTER_LENGTH)));
    private final PortDrops portDrops = new PortDrops(2);
    private final FateCounters first = new FateCounters(manager, 0, List.of("left", "right"), portDrops.ofWorker(0));
    private final FateCounters second = new FateCounters(manager, 1, List.of("left", "right"), portDrops.ofWorker(1));

    @Test
    void shouldShowNothingBeforeItIsPublished()
    {
        first.received(0, 3, 180);
        first.dropped(0, 1);
        assertEquals(0, FateReport.of(manager).get(ForwarderCounter.RECEIVED));
        assertEquals(0, FateReport.of(manager, portDrops).dropped());
        first.publish();
        assertEquals(3, FateReport.of(manager).get(ForwarderCounter.RECEIVED));
        assertEquals(1, FateReport.of(manager, portDrops).dropped());
    }

    @Test
    void shouldBeginAtZeroForAPortThatReplacesAnother()
    {
        first.received(0, 3, 180);
        first.received(1, 2, 120);
        first.publish();
        FateCounters.rename(manager, 1, "new");
        first.beginPort(1);
        assertEquals(0, FateReport.of(manager).get(1, PortTraffic.RX_FRAMES));
        assertEquals(3, FateReport.of(manager).get(0, PortTraffic.RX_FRAMES));
        assertEquals(5, FateReport.of(manager).get(ForwarderCounter.RECEIVED));
        first.received(1, 1, 60);
        first.publish();
        assertEquals(1, FateReport.of(manager).get(1, PortTraffic.RX_FRAMES));
        final List<String> labels = new ArrayList<>();
        manager.forEach((id, label) -> labels.add(label));
        assertTrue(labels.contains("worker 0 port new rx-frames"), labels::toString);
        assertTrue(labels.contains("worker 1 port new tx-bytes"), labels::toString);
        assertTrue(labels.contains("worker 0 port left rx-frames"), labels::toString);
    }

    /** Each pair of a port and a reason has a number of its own, so that a count in a wrong place is seen. */
    @Test
    void shouldCountDropsByPortAndReason()
    {
        for (final DropReason reason : DropReason.values())
        {
            for (int port = 0; port < 2; port++)
            {
                for (int i = 0; i <= 2 * reason.id() + port; i++)
                {
                    (i % 2 == 0 ? first : second).dropped(port, reason.id());
                }
            }
            first.dropped(first.ownIngress(), reason.id());
        }
        first.publish();
        second.publish();
        final FateReport report = FateReport.of(manager);
        for (final DropReason reason : DropReason.values())
        {
            assertEquals(2 * reason.id() + 1, portDrops.get(0)[reason.id()], reason.label());
            assertEquals(2 * reason.id() + 2, portDrops.get(1)[reason.id()], reason.label());
            assertEquals(0, portDrops.get(2)[reason.id()], reason.label());
            assertEquals(report.get(reason), portDrops.get(0)[reason.id()] + portDrops.get(1)[reason.id()]);
        }
        first.beginPort(0);
        second.beginPort(0);
        assertEquals(0, Arrays.stream(portDrops.get(0)).sum());
        assertEquals(2, portDrops.get(1)[0]);
        final FateReport after = FateReport.of(manager, portDrops);
        assertEquals(report.dropped(), after.dropped(), "with the drops of the port that was replaced");
        assertEquals(report.get(DropReason.EGRESS_FULL), after.get(DropReason.EGRESS_FULL));
        assertEquals(0, Arrays.stream(after.portDrops(0)).sum());
        assertEquals(2, after.portDrops(1)[0]);
    }

    @Test
    void shouldAddUpTheWorkers()
    {
        first.received(0, 3, 180);
        second.received(0, 2, 120);
        second.received(1, 1, 60);
        first.sent(1, 2, 100);
        first.forwarded(0, 1);
        first.forwarded(0, 1);
        first.dropped(0, DropReason.IPV4_NO_ROUTE.id());
        second.add(ForwarderCounter.PUNTED, 1);
        second.held(0, 1);
        first.publish();
        second.publish();
        assertFalse(FateReport.of(manager).isBalanced());
        second.dropped(1, DropReason.IPV4_NO_ROUTE.id());
        second.publish();
        final FateReport report = FateReport.of(manager);
        assertTrue(report.isBalanced());
        assertEquals(6, report.get(ForwarderCounter.RECEIVED));
        assertEquals(2, report.get(ForwarderCounter.FORWARDED));
        assertEquals(1, report.get(ForwarderCounter.PUNTED));
        assertEquals(1, report.get(ForwarderCounter.HELD));
        assertEquals(2, report.get(DropReason.IPV4_NO_ROUTE));
        assertEquals(2, report.dropped());
        assertEquals(5, report.get(0, PortTraffic.RX_FRAMES));
        assertEquals(300, report.get(0, PortTraffic.RX_BYTES));
        assertEquals(60, report.get(1, PortTraffic.RX_BYTES));
        assertEquals(2, report.get(1, PortTraffic.TX_FRAMES));
        assertEquals(100, report.get(1, PortTraffic.TX_BYTES));
        assertEquals(0, report.get(7, PortTraffic.TX_BYTES));
    }

    @Test
    void shouldKeepMessagesOfOurOwnOutOfTheBalance()
    {
        first.forwarded(first.ownIngress(), 1);
        first.dropped(first.ownIngress(), DropReason.EGRESS_FULL.id());
        first.held(first.ownIngress(), 1);
        first.publish();
        final FateReport report = FateReport.of(manager);
        assertEquals(1, report.get(ForwarderCounter.ORIGINATED));
        assertEquals(1, report.get(ForwarderCounter.ORIGINATED_LOST));
        assertEquals(0, report.get(ForwarderCounter.HELD));
        assertEquals(0, report.dropped());
        assertTrue(report.isBalanced());
    }

    @Test
    void shouldDistinguishTheFamilies()
    {
        first.receivedByFamily(1, 3, 2);
        first.forwarded(1, 4);
        first.ipv6Forwarded(1, 2);
        first.ipv6Forwarded(1, -1);
        second.receivedByFamily(0, 1, 0);
        second.receivedByFamily(1, 0, 5);
        second.forwarded(0, 1);
        second.ipv6Forwarded(second.ownIngress(), 1);
        assertEquals(3, first.get(ForwarderCounter.IPV4_FORWARDED));
        first.publish();
        second.publish();

        final FateReport report = FateReport.of(manager);
        assertEquals(4, report.get(ForwarderCounter.IPV4));
        assertEquals(7, report.get(ForwarderCounter.IPV6));
        assertEquals(4, report.get(ForwarderCounter.IPV4_FORWARDED));
        assertEquals(1, report.get(ForwarderCounter.IPV6_FORWARDED));
        assertEquals(1, report.get(0, PortTraffic.RX_IPV4));
        assertEquals(0, report.get(0, PortTraffic.RX_IPV6));
        assertEquals(3, report.get(1, PortTraffic.RX_IPV4));
        assertEquals(7, report.get(1, PortTraffic.RX_IPV6));
    }

    @Test
    void shouldPublishEveryCounterThatChanged()
    {
        for (final DropReason reason : DropReason.values())
        {
            first.dropped(0, reason.id());
        }
        for (final ForwarderCounter counter : ForwarderCounter.values())
        {
            first.add(counter, 2);
        }
        first.publish();

        final FateReport report = FateReport.of(manager);
        for (final DropReason reason : DropReason.values())
        {
            assertEquals(1, report.get(reason), reason::label);
        }
        for (final ForwarderCounter counter : ForwarderCounter.values())
        {
            // 2 of FORWARDED are the 2 of IPV6_FORWARDED.
            assertEquals(counter == ForwarderCounter.IPV4_FORWARDED ? 0 : 2, report.get(counter), counter::label);
        }
    }

    @Test
    void shouldNumberWithoutGapsAndNameWithoutDoubles()
    {
        for (int i = 0; i < DropReason.values().length; i++)
        {
            assertEquals(i, DropReason.values()[i].id());
            assertEquals(DropReason.values()[i], DropReason.of(i));
        }
        for (int i = 0; i < ForwarderCounter.values().length; i++)
        {
            assertEquals(i, ForwarderCounter.values()[i].id());
        }
        for (int i = 0; i < PortTraffic.values().length; i++)
        {
            assertEquals(i, PortTraffic.values()[i].id());
        }
        assertTrue(DropReason.count() <= Long.SIZE, "more than the mask of drops holds");
        assertTrue(ForwarderCounter.values().length <= Long.SIZE, "more than the mask of counters holds");
        assertEquals(DropReason.count(), Arrays.stream(DropReason.values()).map(DropReason::label)
            .collect(Collectors.toSet()).size());
    }
}
