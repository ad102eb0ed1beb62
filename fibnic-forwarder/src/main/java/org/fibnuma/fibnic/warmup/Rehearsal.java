package org.fibnuma.fibnic.warmup;

import org.agrona.concurrent.SystemNanoClock;
import org.fibnuma.core.filter.FilterProgram;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.kernel.KernelAddress;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.adjacency.RouterInterface;
import org.fibnuma.fibnic.capture.Capture;
import org.fibnuma.fibnic.capture.CaptureSettings;
import org.fibnuma.fibnic.capture.CapturePoint;
import org.fibnuma.fibnic.datapath.ForwarderAgent;
import org.fibnuma.fibnic.fate.FateReport;
import org.fibnuma.fibnic.plane.ForwardingPlane;
import org.fibnuma.fibnic.trace.Trace;
import org.fibnuma.fibnic.trace.TraceSettings;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** One worker between two memory links, with a host at the far ends that sends frames of every kind. */
final class Rehearsal implements AutoCloseable
{
    private static final int CHUNK = 2048;
    private static final int CHUNKS = 1024;
    private static final int RING = 256;
    private static final int FORWARD = 1;
    private static final int UNRESOLVED = 2;
    /**
     * The router captures and traces the frames of one batch in so many, and times the stages of another one. The JIT
     * then compiles both branches of its checks, but does not inline what is behind them, because it is called seldom
     * (MinInlineFrequencyRatio is 0.0085).
     */
    private static final int OBSERVED_INTERVAL = 250;
    /** The host captures more often, so that the capture itself is compiled too. */
    private static final int HOST_CAPTURE_INTERVAL = 4;
    /** IPv4, as tcpdump compiles it. */
    private static final String FILTER = "40 0 0 12,21 0 1 2048,6 0 0 262144,6 0 0 0";
    /**
     * IPv4 whose destination ends with 5, which few frames of a batch have. So the stages process most traced batches
     * in few parts, and the profile of their loops is that of batches without a trace.
     */
    private static final String TRACE_FILTER =
        "40 0 0 12,21 0 3 2048,48 0 0 33,21 0 1 5,6 0 0 262144,6 0 0 0";
    private static final AtomicInteger SERIAL = new AtomicInteger();

    private final String link = "mem:warm-up-" + SERIAL.incrementAndGet() + "-";
    private final MemoryRegion region = MemoryRegion.ofChunks(2 * CHUNKS, CHUNK);
    private final FramePool routerPool = new FramePool(region, CHUNK, 0, CHUNKS);
    private final FramePool hostPool = new FramePool(region, CHUNK, CHUNKS, CHUNKS);
    private final List<Port> ports = List.of(open("left", 0, routerPool), open("right", 1, routerPool));
    private final List<Port> hosts = List.of(open("left@far", 0, hostPool), open("right@far", 1, hostPool));
    private final ForwardingPlane plane = new ForwardingPlane();
    private final RehearsalFrames frames = new RehearsalFrames();
    private final FrameBatch received = new FrameBatch();
    private int hostBatches;
    private final CapturePoint capturePoint = new CapturePoint();
    private final CapturePoint hostCapturePoint = new CapturePoint();
    private final Capture capture = new Capture(
        new CaptureSettings(3, 3, 3, CaptureSettings.MAX_SNAP_LENGTH, FilterProgram.parse(FILTER)), 2,
        SystemNanoClock.INSTANCE, 0);
    private final ByteBuffer captured = ByteBuffer.allocateDirect(Capture.MIN_ROOM);
    private final Trace trace = new Trace(
        new TraceSettings(3, Integer.MAX_VALUE, FilterProgram.parse(TRACE_FILTER)), 1, SystemNanoClock.INSTANCE, 0);
    private final ForwarderAgent router;

    Rehearsal()
    {
        plane.adjacencies().set(FORWARD, Adjacency.forward(
            1, IpAddress.of(RehearsalFrames.HOST), RehearsalFrames.MTU,
            RehearsalFrames.HOST_MAC, RehearsalFrames.ROUTER_MAC));
        plane.adjacencies().set(
            UNRESOLVED, Adjacency.unresolved(1, IpAddress.of(RehearsalFrames.HOST + 1), RehearsalFrames.MTU));
        plane.fib().announce(RehearsalFrames.HOST, 32, FORWARD);
        plane.fib().announce(RehearsalFrames.NETWORK, 24, FORWARD);
        plane.fib().announce(RehearsalFrames.LONGER, 26, FORWARD);
        plane.fib().announce(RehearsalFrames.UNRESOLVED_NETWORK, 24, UNRESOLVED);
        announceIpv6(RehearsalFrames.IPV6_HOST, Ipv6Address.BITS, FORWARD);
        announceIpv6(RehearsalFrames.IPV6_NETWORK, 48, FORWARD);
        announceIpv6(RehearsalFrames.IPV6_NETWORK, 59, FORWARD);
        announceIpv6(RehearsalFrames.IPV6_UNRESOLVED_NETWORK, 48, UNRESOLVED);
        final RouterInterface own = RouterInterface.of(
            RehearsalFrames.ROUTER_MAC, RehearsalFrames.MTU, List.of(
                new KernelAddress(0, IpAddress.parse("198.18.0.1"), 32),
                new KernelAddress(0, IpAddress.parse("fe80::1"), 64),
                new KernelAddress(0, IpAddress.parse("2001:2::1"), 128)), false);
        router = ForwarderAgent.of(
            plane.context(ports, new InterfaceTable(List.of(own, own)), routerPool)
                .forwardsIpv6(true).capturePoint(capturePoint).conclude());
        hostCapturePoint.captureTo(capture.ring(1));
        hostCapturePoint.refresh(false);
    }

    private void announceIpv6(final Ipv6Address prefix, final int length, final int adjacency)
    {
        plane.ipv6Fib().announce(prefix.high(), prefix.low(), length, adjacency);
    }

    private Port open(final String end, final int index, final FramePool pool)
    {
        final Port port = Ports.open(new PortRequest(
            end, link + end, index, List.of(pool), new PortSettings(RING, RING, 0, 0, false)));
        port.start();
        return port;
    }

    /** Runs one duty cycle with a batch whose size and mixture depend on its number. */
    void run(final int number)
    {
        final int count = 1 + number % FrameBatch.CAPACITY;
        for (int i = 0; i < count; i++)
        {
            final long chunk = hostPool.allocate();
            if (chunk == FramePool.NONE)
            {
                break;
            }
            final long frame = chunk + FramePool.HEADROOM;
            final int length = frames.write(frame, number * FrameBatch.CAPACITY + i);
            if (!hosts.get(0).txQueue(0).offer(chunk, frame, length))
            {
                hostPool.release(chunk);
            }
        }
        hosts.get(0).txQueue(0).flush();
        final boolean isOn = number % OBSERVED_INTERVAL == 0;
        capturePoint.captureTo(isOn ? capture.ring(0) : null);
        capturePoint.traceTo(isOn ? trace.frames(0) : null);
        if (number % OBSERVED_INTERVAL == OBSERVED_INTERVAL / 2)
        {
            capturePoint.refresh(true);
        }
        router.doWork();
        hosts.forEach(this::drain);
        if (number % HOST_CAPTURE_INTERVAL == 0)
        {
            capture.drain(captured.clear());
            trace.drain(captured.clear());
        }
    }

    /** Does with a batch what a worker does while a capture runs. */
    private void capture(final FrameBatch batch)
    {
        hostCapturePoint.received(batch);
        hostCapturePoint.claimSent(batch, 0, batch.size(), 1);
        hostCapturePoint.commitSent(0, batch.size());
        hostCapturePoint.dropped(0, batch.address(0), batch.length(0), 0);
        hostCapturePoint.settle(hostCapturePoint.claimSent(1, batch.address(0), batch.length(0)), true);
    }

    private void drain(final Port host)
    {
        do
        {
            received.clear();
            host.rxQueue(0).receive(received);
            if (received.size() > 0 && ++hostBatches % HOST_CAPTURE_INTERVAL == 0)
            {
                capture(received);
            }
            for (int i = 0; i < received.size(); i++)
            {
                hostPool.release(received.handle(i));
            }
        }
        while (received.size() == FrameBatch.CAPACITY);
        host.txQueue(0).flush();
    }

    /** Returns the counters after a duty cycle without frames, in which a worker publishes them. */
    FateReport fates()
    {
        while (router.doWork() > 0)
        {
            hosts.forEach(this::drain);
        }
        return plane.fates();
    }

    @Override
    public void close()
    {
        router.onClose();
        capture.free();
        trace.free();
        ports.forEach(Port::close);
        hosts.forEach(Port::close);
        plane.close();
        region.close();
    }
}
