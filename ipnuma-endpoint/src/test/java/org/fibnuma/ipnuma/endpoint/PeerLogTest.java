package org.fibnuma.ipnuma.endpoint;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.channel.PeerChannel;
import org.fibnuma.ipnuma.fate.EndpointCounter;
import org.fibnuma.ipnuma.table.AccessStatus;
import org.fibnuma.ipnuma.table.Peer;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RemoteAddress;
import org.fibnuma.ipnuma.wire.WireFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Log lines about peers, between two endpoints on one thread and one clock. */
class PeerLogTest
{
    private static final long TURN_NS = 5_000;
    /** Three seconds: ten probes without an answer take 1.75. */
    private static final int TURNS = 600_000;

    private final String link = TestEndpoint.newLink();
    private final MemoryRegion frames = TestEndpoint.frames();
    private final List<TestEndpoint> open = new ArrayList<>();
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
    private final Logger logger = (Logger)LoggerFactory.getLogger("org.fibnuma.ipnuma.endpoint");
    private long time;

    @BeforeEach
    void listen()
    {
        appender.start();
        logger.addAppender(appender);
    }

    @AfterEach
    void close()
    {
        logger.detachAppender(appender);
        open.forEach(TestEndpoint::close);
        frames.close();
    }

    @Test
    void shouldLogThatAPeerIsUpRestartedAndDown()
    {
        endpoint(link, 0, 1, WireFormat.FIBNUMA);
        final TestEndpoint first = endpoint(link + "@far", 1, 2, WireFormat.FIBNUMA);
        await(() -> has("peer 2 10.9.0.2 fibnuma is up"));
        open.remove(first);
        first.closePort();
        endpoint(link + "@far", 2, 2, WireFormat.FIBNUMA);
        await(() -> has("peer 2 10.9.0.2 fibnuma has restarted; writes lost: 0"));
        open.remove(1).close();
        await(() -> has("peer 2 10.9.0.2 fibnuma is down; writes that may not have taken effect: 0"));
        first.closeMemory();
    }

    @Test
    void shouldLogRefusalsOnBothSidesAndLeaveOutMostOfMany()
    {
        final TestEndpoint near = endpoint(link, 0, 1, WireFormat.FIBNUMA);
        endpoint(link + "@far", 1, 2, WireFormat.FIBNUMA);
        final PeerChannel channel = near.agent().channel(2);
        await(channel::isUp);
        writeOutside(channel, 100);
        final String there = "peer 2 10.9.0.2 fibnuma refused a write to its region 9 at offset 0x40: no region";
        final String here = "refused an access of peer 1 10.9.0.1 fibnuma to region 9 at offset 0x40: no region";
        await(() -> has(there) && channel.isUp() && count(here) == PeerLog.LINES);
        time += PeerLog.WINDOW_NS;
        writeOutside(channel, 1);
        await(() -> count(here) == PeerLog.LINES + 1);
        assertTrue(lines().stream().anyMatch(line -> line.startsWith(here) && line.endsWith(" lines like this were " +
            "left out)")), () -> lines().toString());
        assertTrue(count(there) <= 2 * PeerLog.LINES, () -> lines().toString());
    }

    @Test
    void shouldLogRefusalsOfAFormatWithoutSessions()
    {
        final TestEndpoint near = endpoint(link, 0, 1, WireFormat.IPNUMA_10G);
        endpoint(link + "@far", 1, 2, WireFormat.IPNUMA_10G);
        final PeerChannel channel = near.agent().channel(2);
        await(channel::isUp);
        writeOutside(channel, 1);
        await(() -> has("refused an access of peer 1 10.9.0.1 ipnuma-10g to region 9 at offset 0x40: no region"));
    }

    @Test
    void shouldLogOnceThatNobodyAnswersForAPeerAndCountQuestions()
    {
        final TestEndpoint near = endpoint(link, 0, 1, WireFormat.FIBNUMA);
        final String silence =
            "no host answers ARP for 10.9.0.2, the next hop to peer 2 10.9.0.2 fibnuma; requests continue";
        await(() -> has(silence));
        for (int i = 0; i < 100_000; i++)
        {
            turn();
        }
        final long asked = near.agent().counters().get(EndpointCounter.ARP_REQUESTS);
        assertTrue(asked >= 3 && asked <= 8, asked + " questions in half a second");
        assertEquals(asked, near.agent().counters().get(EndpointCounter.UNRESOLVED));
        assertEquals(1, count(silence));
        endpoint(link + "@far", 1, 2, WireFormat.FIBNUMA);
        await(() -> has("MAC address 02:00:0a:09:00:02 answers for 10.9.0.2"));
        await(near.agent().channel(2)::isUp);
    }

    private static void writeOutside(final PeerChannel channel, final int times)
    {
        try (MemoryRegion data = MemoryRegion.ofBytes(64))
        {
            for (int i = 0; i < times; i++)
            {
                assertTrue(channel.write(RemoteAddress.of(9, 64), Region.NO_KEY, data.address(), 4, true));
            }
            channel.flush();
        }
    }

    private TestEndpoint endpoint(final String device, final int pool, final int own, final WireFormat format)
    {
        final Peer peer = TestEndpoint.peer(3 - own, format);
        final TestEndpoint endpoint = new TestEndpoint(device, TestEndpoint.pool(frames, pool), own, 0, () -> time,
            new PeerLog(List.of(peer), () -> time, ChannelListener.NONE), peer);
        open.add(endpoint);
        return endpoint;
    }

    private void turn()
    {
        time += TURN_NS;
        open.forEach(endpoint -> endpoint.agent().doWork());
    }

    private void await(final BooleanSupplier wanted)
    {
        for (int i = 0; i < TURNS && !wanted.getAsBoolean(); i++)
        {
            turn();
        }
        assertTrue(wanted.getAsBoolean(), () -> "log: " + lines());
    }

    private List<String> lines()
    {
        return appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private boolean has(final String start)
    {
        return count(start) > 0;
    }

    private long count(final String start)
    {
        return lines().stream().filter(line -> line.startsWith(start)).count();
    }

    @Test
    void shouldHandEverythingOn()
    {
        final List<String> calls = new ArrayList<>();
        final PeerLog log = new PeerLog(List.of(TestEndpoint.peer(2, WireFormat.FIBNUMA)), () -> time,
            new ChannelListener()
            {
                @Override
                public void onUp(final int pcId)
                {
                    calls.add("up " + pcId);
                }

                @Override
                public void onRefused(final int pcId, final int status, final long remoteAddress)
                {
                    calls.add("refused " + pcId + " " + status + " " + remoteAddress);
                }

                @Override
                public void onUnanswered(final int pcId, final long tag)
                {
                    calls.add("unanswered " + pcId + " " + tag);
                }
            });
        log.onUp(2);
        log.onRefused(2, AccessStatus.REVOKED, 7);
        log.onUnanswered(2, 9);
        assertEquals(List.of("up 2", "refused 2 5 7", "unanswered 2 9"), calls);
    }
}
