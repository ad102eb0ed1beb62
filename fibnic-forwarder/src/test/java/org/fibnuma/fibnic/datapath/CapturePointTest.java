package org.fibnuma.fibnic.datapath;

import com.sun.management.ThreadMXBean;
import org.fibnuma.core.filter.FilterProgram;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.port.Port;
import org.fibnuma.fibnic.capture.Capture;
import org.fibnuma.fibnic.capture.CaptureSettings;
import org.fibnuma.fibnic.capture.CapturePoint;
import org.fibnuma.fibnic.fate.DropReason;
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
import org.fibnuma.pfc.watchdog.StormAction;
import org.fibnuma.pfc.watchdog.WatchdogSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * What a capture of a router has, compared with what its hosts have sent and received. The messages are read here by
 * their documented layout: length, kind, time, port, length of the frame, reason, frame.
 */
class CapturePointTest
{
    private static final int RECEIVED = 1;
    private static final int SENT = 2;
    private static final int DROPPED = 3;
    private static final int LOST = 4;
    private static final int END = 5;
    private static final int ALL = CaptureSettings.MAX_SNAP_LENGTH;
    private static final long EPOCH_OFFSET_NS = 1_700_000_000_000_000_000L;
    /** UDP to port 53, as tcpdump -ddd compiles it for IPv4 without options. */
    private static final String FILTER =
        "40 0 0 12,21 0 5 2048,48 0 0 23,21 0 3 17,40 0 0 36,21 0 1 53,6 0 0 40,6 0 0 0";

    private final CapturePoint point = new CapturePoint();
    private final ByteBuffer messages = ByteBuffer.allocateDirect(1 << 20);
    private RouterFixture router;
    /** Of the last frame that was read. */
    private long time;
    private Capture capture;

    @AfterEach
    void close()
    {
        router.close();
        capture.free();
    }

    private void open(final CaptureSettings settings)
    {
        router = new RouterFixture(2, context -> context.capturePoint(point).forwardsIpv6(true));
        begin(settings);
    }

    private void begin(final CaptureSettings settings)
    {
        capture = new Capture(settings, 1, router.clock, EPOCH_OFFSET_NS);
        point.captureTo(capture.ring(0));
        router.run();
    }

    @Test
    void shouldHaveEveryByteThatIsReceivedSentAndDropped()
    {
        open(new CaptureSettings(3, 3, 3, ALL, null));
        router.clock.update(77);
        final byte[] ordinary = TestFrame.ipv4().payload(26).bytes();
        final byte[] ipv6 = TestFrame6.ipv6().payload(26).bytes();
        final byte[] expired = TestFrame.ipv4().ttl(1).payload(26).bytes();
        final byte[] large = TestFrame.ipv4().payload(2000).bytes();
        final List<Message> expected = new ArrayList<>();
        for (final byte[] frame : List.of(ordinary, ipv6, expired, large))
        {
            router.receive(0, frame);
            expected.add(new Message(RECEIVED, 0, frame.length, 0, hex(frame)));
        }
        router.run();
        expected.add(new Message(
            DROPPED, 0, expired.length, DropReason.IPV4_TTL_EXPIRED.id(), hex(expired)));
        router.sent(1).forEach(frame -> expected.add(new Message(SENT, 1, frame.length, 0, hex(frame))));
        router.sent(0).forEach(frame -> expected.add(new Message(SENT, 0, frame.length, 0, hex(frame))));

        assertEquals(expected, drain());
        assertEquals(10, expected.size(), "with two fragments and an ICMP error");
        assertEquals(EPOCH_OFFSET_NS + 77, time);
        router.assertBalanced();
    }

    @Test
    void shouldHaveOnlyWhatIsAskedFor()
    {
        open(new CaptureSettings(1, 0, 0, ALL, null));
        final byte[] frame = TestFrame.ipv4().payload(26).bytes();
        router.forward(frame);
        router.receive(1, TestFrame.ipv4().destination("10.0.0.2").payload(26).bytes());
        router.run();
        assertEquals(List.of(new Message(RECEIVED, 0, frame.length, 0, hex(frame))), drain());
    }

    @Test
    void shouldHaveOnlyWhatTheFilterAcceptsAndAsMuchAsItKeeps()
    {
        open(new CaptureSettings(3, 0, 0, 50, FilterProgram.parse(FILTER)));
        final byte[] domain = TestFrame.ipv4().payload(HexFormat.of().parseHex("1234003500200000" + "ab".repeat(24)))
            .bytes();
        router.forward(TestFrame.ipv4().payload(26).bytes());
        router.forward(domain);
        router.forward(TestFrame6.ipv6().payload(26).bytes());
        assertEquals(
            List.of(new Message(RECEIVED, 0, domain.length, 0, hex(Arrays.copyOf(domain, 40)))), drain());
    }

    @Test
    void shouldNotHaveAsSentWhatTheEgressQueueRefuses()
    {
        open(new CaptureSettings(0, 3, 3, ALL, null));
        final int offered = 2 * RouterFixture.RING;
        for (int i = 0; i < offered; i++)
        {
            router.receive(0, TestFrame.ipv4().identification(i).payload(26).bytes());
            if (i % 50 == 49)
            {
                router.agent.doWork();
            }
        }
        router.run();
        final long refused = router.report().get(DropReason.EGRESS_FULL);
        assertTrue(refused > 0);
        final List<Message> captured = drain();
        final List<byte[]> sent = router.sent(1);
        assertEquals(
            sent.stream().map(CapturePointTest::hex).toList(),
            captured.stream().filter(message -> message.kind == SENT).map(Message::frame).toList());
        assertEquals(refused, captured.stream().filter(message -> message.kind == DROPPED &&
            message.reason == DropReason.EGRESS_FULL.id() && message.port == 0).count());
    }

    @Test
    void shouldCaptureInARouterWithLosslessPriorities()
    {
        final long bitsPerSecond = 10_000_000_000L;
        router = RouterFixture.lossless(new PfcConfig(
            1, 1 << 3, PriorityClassifier.byDscp(PriorityClassifier.classSelectors()), PausePolicyKind.values()[0],
            PauseTimeLaw.DEFAULT, 0, 2,
            new PfcLink(
                "", 1, bitsPerSecond, 20_000, 5_000, 10_000,
                HeadroomModel.OWN.compute(new HeadroomRequest(bitsPerSecond)), MacFlowControl.OFF),
            Map.of(), new EcnSettings(1, 1_000, 10_000, 0.5),
            new WatchdogSettings(100, 100, 100, StormAction.DROP)), 1);
        capture = new Capture(new CaptureSettings(3, 3, 3, ALL, null), 1, router.clock, 0);
        router.agent.capturePoint.captureTo(capture.ring(0));
        router.run();
        final byte[] frame = TestFrame.ipv4().payload(26).bytes();
        final byte[] expired = TestFrame.ipv4().ttl(1).payload(26).bytes();
        final List<byte[]> sent = router.forward(frame);
        router.receive(0, expired);
        router.run();
        assertEquals(List.of(
            new Message(RECEIVED, 0, frame.length, 0, hex(frame)),
            new Message(SENT, 1, sent.get(0).length, 0, hex(sent.get(0))),
            new Message(RECEIVED, 0, expired.length, 0, hex(expired)),
            new Message(DROPPED, 0, expired.length, DropReason.IPV4_TTL_EXPIRED.id(), hex(expired))),
            drain().subList(0, 4));
    }

    @Test
    void shouldCountWhatTheRingHasNoRoomForAndForwardIt()
    {
        open(new CaptureSettings(1, 0, 0, ALL, null));
        final byte[] frame = TestFrame.ipv4().payload(1400).bytes();
        final int frames = 5000;
        for (int i = 0; i < frames; i++)
        {
            assertEquals(1, router.forward(frame).size());
        }
        capture.finish();
        long captured = 0;
        long lost = 0;
        boolean more = true;
        while (more)
        {
            more = capture.drain(messages.clear());
            for (final Message message : read())
            {
                captured += message.kind == RECEIVED ? 1 : 0;
                lost = message.kind == LOST ? message.reason : lost;
            }
        }
        assertTrue(captured > 2000, "captured " + captured);
        assertEquals(frames, captured + lost);
        router.assertBalanced();
    }

    @Test
    void shouldNotTouchARingAfterItWasSwitchedOff()
    {
        open(new CaptureSettings(3, 3, 3, ALL, null));
        assertTrue(point.isOn());
        point.captureTo(null);
        router.run();
        assertFalse(point.isOn());
        router.forward(TestFrame.ipv4().payload(26).bytes());
        assertEquals(List.of(), drain());
    }

    @Test
    void shouldAllocateNothingWhileItCaptures()
    {
        open(new CaptureSettings(3, 3, 3, 100, FilterProgram.parse("40 0 0 12,21 0 1 2048,6 0 0 262144,6 0 0 60")));
        final byte[][] kinds = {
            TestFrame.ipv4().payload(26).bytes(), TestFrame.ipv4().ttl(1).payload(26).bytes(),
            TestFrame6.ipv6().payload(26).bytes(), TestFrame.ipv4().payload(1700).bytes()};
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final FrameBatch host = new FrameBatch();
        long allocated = Long.MAX_VALUE;
        // Classes load and the JIT deoptimizes at first, which allocates a little.
        for (int attempt = 0; attempt < 6 && allocated != 0; attempt++)
        {
            final long start = threads.getCurrentThreadAllocatedBytes();
            for (int batch = 0; batch < 4000; batch++)
            {
                for (int i = 0; i < 50; i++)
                {
                    final byte[] kind = kinds[(batch + i) % kinds.length];
                    final long chunk = router.hostPool.allocate();
                    FrameMemory.putBytes(chunk + FramePool.HEADROOM, kind);
                    assertTrue(router.hosts.get(0).txQueue(0).offer(chunk, chunk + FramePool.HEADROOM, kind.length));
                }
                router.hosts.get(0).txQueue(0).flush();
                router.clock.advance(TimeUnit.MILLISECONDS.toNanos(1));
                router.agent.doWork();
                // A reader that comes seldom, so that the ring is full at times.
                if (batch % 1000 == 0)
                {
                    capture.drain(messages.clear());
                }
                discard(host);
            }
            allocated = threads.getCurrentThreadAllocatedBytes() - start;
        }
        assertEquals(0, allocated, "bytes allocated");
        assertTrue(router.count(ForwarderCounter.FRAGMENTS) > 0);
    }

    private void discard(final FrameBatch host)
    {
        for (int p = 0; p < router.hosts.size(); p++)
        {
            final Port port = router.hosts.get(p);
            int received;
            do
            {
                host.clear();
                received = port.rxQueue(0).receive(host);
                for (int i = 0; i < host.size(); i++)
                {
                    router.hostPool.release(host.handle(i));
                }
                port.txQueue(0).flush();
            }
            while (received > 0);
        }
    }

    private List<Message> drain()
    {
        capture.finish();
        assertFalse(capture.drain(messages.clear()));
        final List<Message> all = read();
        assertEquals(END, all.remove(all.size() - 1).kind);
        return all;
    }

    private List<Message> read()
    {
        messages.flip().order(ByteOrder.nativeOrder());
        final List<Message> all = new ArrayList<>();
        while (messages.hasRemaining())
        {
            final int length = messages.getInt();
            final int kind = messages.getInt();
            final int end = messages.position() + length;
            if (kind == LOST)
            {
                all.add(new Message(kind, messages.getInt(), 0, (int)messages.getLong(), ""));
            }
            else if (kind == END)
            {
                all.add(new Message(kind, 0, 0, 0, ""));
            }
            else
            {
                time = messages.getLong();
                final int port = messages.getInt();
                final int original = messages.getInt();
                final int reason = messages.getInt();
                final byte[] frame = new byte[end - messages.position()];
                messages.get(frame);
                all.add(new Message(kind, port, original, reason, hex(frame)));
            }
            assertEquals(end, messages.position());
        }
        return all;
    }

    private static String hex(final byte[] bytes)
    {
        return HexFormat.of().formatHex(bytes);
    }

    private record Message(int kind, int port, int length, int reason, String frame)
    {
    }
}
