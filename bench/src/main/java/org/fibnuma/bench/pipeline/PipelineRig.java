package org.fibnuma.bench.pipeline;

import org.fibnuma.bench.fib.AddressSample;
import org.fibnuma.bench.fib.DualStackTable;
import org.fibnuma.bench.fib.Ipv6AddressSample;
import org.fibnuma.bench.fib.NextHopNumbering;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv6Address;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.fibnic.acl.AccessTable;
import org.fibnuma.fibnic.capture.CapturePoint;
import org.fibnuma.fibnic.datapath.ForwarderAgent;
import org.fibnuma.fibnic.fate.FateReport;
import org.fibnuma.fibnic.ports.KernelPaths;
import org.fibnuma.fibnic.rate.RateLimit;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A worker with two ports in memory and a host at the far end of each: all traffic enters at the left and leaves at the
 * right, or by a third port, the path to the kernel.
 */
final class PipelineRig implements AutoCloseable
{
    private static final int CHUNK = 2048;
    private static final int CHUNKS = 8192;
    private static final int RING = 2048;
    private static final int DESTINATIONS = 1 << 20;
    private static final int SEED = 1;

    private static final long LEFT_MAC = MacAddress.parse("02:00:00:00:01:00");
    private static final long HOST_MAC = LoadedRouter.NEXT_HOP_MAC;
    private static final int HOST = Ipv4Address.parse("198.18.0.2");
    private static final Ipv6Address IPV6_HOST = Ipv6Address.parse("fd00::2");

    private final MemoryRegion region = MemoryRegion.ofChunks(2 * CHUNKS, CHUNK);
    private final FramePool routerPool = new FramePool(region, CHUNK, 0, CHUNKS);
    private final FramePool hostPool = new FramePool(region, CHUNK, CHUNKS, CHUNKS);
    private final Port left = open("mem:pipeline-left", 0, routerPool);
    private final Port right = open("mem:pipeline-right", 1, routerPool);
    private final Port leftHost = open("mem:pipeline-left@far", 0, hostPool);
    private final Port rightHost = open("mem:pipeline-right@far", 1, hostPool);
    private final Port kernelPath = open("mem:pipeline-kernel", 2, routerPool);
    private final Port kernel = open("mem:pipeline-kernel@far", 2, hostPool);
    private final int[] destinations;
    private final Ipv6Address[] ipv6Destinations;
    private final LoadedRouter router;

    PipelineRig(final DualStackTable table)
    {
        router = new LoadedRouter(
            table, NextHopNumbering.AS_THEY_ARE, List.of(left, right), routerPool, LEFT_MAC,
            context -> context.kernelPaths(
            new KernelPaths(kernelPath, Map.of(), new RateLimit(KernelPaths.DEFAULT_PUNTS_PER_SECOND))));
        destinations = new AddressSample(table.ipv4(), SEED).ofTransit(DESTINATIONS);
        ipv6Destinations = table.hasIpv6() ?
            new Ipv6AddressSample(table.ipv6(), new SplittableRandom(SEED)).ofTransit(DESTINATIONS) :
            new Ipv6Address[]{LoadedRouter.UNRESOLVED_IPV6_HOST};
    }

    private static Port open(final String device, final int index, final FramePool pool)
    {
        final PortSettings settings = new PortSettings(RING, RING, 0, 0, false);
        final Port port = Ports.open(new PortRequest(device, device, index, List.of(pool), settings));
        port.start();
        return port;
    }

    ForwarderAgent router()
    {
        return router.agent();
    }

    void connectUnresolved()
    {
        router.connectUnresolved();
    }

    int codeBits()
    {
        return router.codeBits();
    }

    TestTraffic traffic(final int frameLength)
    {
        final Ipv6TestFrames ipv6Frames = new Ipv6TestFrames(hostPool, ipv6Destinations,
            Math.max(frameLength, Ipv6TestFrames.SHORTEST), HOST_MAC, LEFT_MAC, IPV6_HOST);
        return new TestTraffic(
            leftHost.txQueue(0), hostPool, destinations, frameLength, HOST_MAC, LEFT_MAC, HOST, ipv6Frames);
    }

    /** Returns the IPv4 destinations of the traffic. */
    int[] destinations()
    {
        return destinations;
    }

    AccessTable accessTable()
    {
        return router.accessTable();
    }

    CapturePoint capturePoint()
    {
        return router.capturePoint();
    }

    /** Returns the MAC address of the router's left port. */
    long routerMac()
    {
        return LEFT_MAC;
    }

    FramePool hostPool()
    {
        return hostPool;
    }

    TxQueue leftHostTxQueue()
    {
        return leftHost.txQueue(0);
    }

    TestSink sink()
    {
        return new TestSink(rightHost, hostPool);
    }

    /** Returns the kernel, which receives the punted frames. */
    TestSink kernel()
    {
        return new TestSink(kernel, hostPool);
    }

    FateReport fates()
    {
        return router.fates();
    }

    @Override
    public void close()
    {
        router.close();
        left.close();
        right.close();
        leftHost.close();
        rightHost.close();
        kernelPath.close();
        kernel.close();
        region.close();
    }
}
