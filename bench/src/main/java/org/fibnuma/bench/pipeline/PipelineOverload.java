package org.fibnuma.bench.pipeline;

import org.fibnuma.bench.fib.DualStackTable;
import org.fibnuma.bench.fib.NextHopNumbering;
import org.fibnuma.bench.lab.Rounds;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.fibnuma.core.port.memory.MemoryLink;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.fibnic.fate.FateReport;
import org.fibnuma.fibnic.routes.RouteList;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Loss when several ports receive for one port, all at the rate of a link: in the time of a frame each sends one, the
 * worker runs, and the link of the output takes one. There is no clock, so that the result is always the same. FIBNIC's
 * FIFOs keep one or two frames (thesis, section 5.1.2.4, figure 5.7).
 */
final class PipelineOverload implements PipelineMeasurement
{
    static final int MOST_INPUTS = 16;
    /** The router's frames are enough for all FIFOs. */
    static final int DEEPEST = 128;

    private static final int CHUNK = 2048;
    private static final int CHUNKS = 8192;
    private static final int RING = 64;
    /** The link of the output holds the frame that it sends. */
    private static final int OUTPUT_RING = 1;
    private static final int OUTPUT = 1;
    private static final long STEPS = 100_000;
    private static final long ROUTER_MAC = MacAddress.parse("02:00:00:00:01:00");
    private static final int SOURCE = Ipv4Address.parse("198.18.0.2");
    private static final int NETWORK = Ipv4Address.parse("198.19.0.0");
    private static final int NETWORK_LENGTH = 16;
    private static final int NEXT_HOP = Ipv4Address.parse("198.18.1.2");
    private static final int LOSS_DECIMALS = 6;

    private final MemoryRegion region = MemoryRegion.ofChunks(2 * CHUNKS, CHUNK);
    private final FramePool routerPool = new FramePool(region, CHUNK, 0, CHUNKS);
    private final FramePool hostPool = new FramePool(region, CHUNK, CHUNKS, CHUNKS);
    private final List<Port> ports = new ArrayList<>();
    private final List<TestTraffic> inputs = new ArrayList<>();
    private final Port output;
    private final LoadedRouter router;
    private final FrameBatch batch = new FrameBatch();
    private final int depth;
    private final long[] received;
    /** Frames of each input before the first one that was lost. */
    private final long[] inSequence;
    private FateReport fates;

    /**
     * Creates the ports and the worker.
     *
     * @param inputCount  ports that receive, 1 to {@link #MOST_INPUTS}.
     * @param depth       frames of each FIFO, a power of two.
     * @param frameLength of the frames in bytes, without FCS.
     */
    PipelineOverload(final int inputCount, final int depth, final int frameLength)
    {
        this.depth = depth;
        received = new long[inputCount];
        inSequence = new long[inputCount];
        final List<Port> routerPorts = new ArrayList<>();
        final List<Port> hostPorts = new ArrayList<>();
        for (int i = 0; i <= inputCount; i++)
        {
            final String device = "mem:overload-" + i;
            final int ring = i == OUTPUT ? OUTPUT_RING : RING;
            routerPorts.add(open(device, i, routerPool, ring));
            hostPorts.add(open(device + MemoryLink.FAR_SUFFIX, i, hostPool, ring));
            if (i != OUTPUT)
            {
                inputs.add(new TestTraffic(hostPorts.get(i).txQueue(0), hostPool, new int[]{NETWORK | 1},
                    frameLength, LoadedRouter.NEXT_HOP_MAC, ROUTER_MAC + i, SOURCE));
            }
        }
        output = hostPorts.get(OUTPUT);
        final RouteList routes = new RouteList();
        routes.addAnnouncement(NETWORK, NETWORK_LENGTH, NEXT_HOP);
        router = new LoadedRouter(DualStackTable.ofIpv4(routes), NextHopNumbering.AS_THEY_ARE, routerPorts,
            routerPool, ROUTER_MAC, context -> context.egressFifoDepth(depth));
    }

    private Port open(final String device, final int index, final FramePool pool, final int ring)
    {
        final Port port = Ports.open(new PortRequest(
            device, device, index, List.of(pool), new PortSettings(ring, ring, 0, 0, false)));
        ports.add(port);
        port.start();
        return port;
    }

    @Override
    public void measure(final long warmUpNs, final long durationNs)
    {
        for (long step = 1; step <= STEPS; step++)
        {
            for (int i = 0; i < inputs.size(); i++)
            {
                inputs.get(i).offer((step - 1) * inputs.size() + i, TestFrameKind.IPV4);
                inputs.get(i).flush();
            }
            router.agent().doWork();
            receive();
        }
        // What waits in the FIFOs is sent.
        for (int i = 0; i < (depth + 1) * (inputs.size() + 1); i++)
        {
            router.agent().doWork();
            receive();
        }
        fates = router.fates();
    }

    private void receive()
    {
        batch.clear();
        final int count = output.rxQueue(0).receive(batch);
        for (int i = 0; i < count; i++)
        {
            final long stamp = FrameMemory.getLong(batch.address(i) + TestTraffic.STAMP_OFFSET);
            final int input = (int)(stamp % inputs.size());
            received[input]++;
            // Frames of an input stay in their order.
            if (received[input] == stamp / inputs.size() + 1)
            {
                inSequence[input] = received[input];
            }
            hostPool.release(batch.handle(i));
        }
        output.txQueue(0).flush();
    }

    /** Returns the number of the first frame of each input that was lost, from 1; 0 if none was. */
    private long[] firstLost()
    {
        return Arrays.stream(inSequence).map(count -> count == STEPS ? 0 : count + 1).toArray();
    }

    private double lossRate()
    {
        return 1 - (double)Arrays.stream(received).sum() / (STEPS * inputs.size());
    }

    @Override
    public boolean isComplete()
    {
        return fates.isBalanced() && fates.dropped() == STEPS * inputs.size() - Arrays.stream(received).sum();
    }

    @Override
    public Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("inputs", inputs.size());
        map.put("egressFifoDepth", depth);
        map.put("framesPerInput", STEPS);
        map.put("lossRate", Rounds.rounded(lossRate(), LOSS_DECIMALS));
        map.put("receivedByInput", received);
        map.put("firstLostByInput", firstLost());
        map.put("fateBalanced", fates.isBalanced());
        return map;
    }

    @Override
    public void print(final PrintWriter out)
    {
        out.printf("%d inputs at the rate of one output, %,d frames each, FIFOs of %d%n", inputs.size(), STEPS, depth);
        out.printf("%-26s %.2f %% of the frames%n", "lost", 100 * lossRate());
        out.printf("%-26s %s%n", "sent by input", Arrays.toString(received));
        out.printf("%-26s %s (0: none; the thesis: the second)%n", "first lost, by input",
            Arrays.toString(firstLost()));
    }

    @Override
    public void close()
    {
        router.close();
        ports.forEach(Port::close);
        region.close();
    }
}
