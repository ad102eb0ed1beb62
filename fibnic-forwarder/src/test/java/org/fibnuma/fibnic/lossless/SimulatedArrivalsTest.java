package org.fibnuma.fibnic.lossless;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fate.PortDrops;
import org.fibnuma.pfc.config.MacFlowControl;
import org.fibnuma.pfc.config.PfcConfig;
import org.fibnuma.pfc.config.PfcLink;
import org.fibnuma.pfc.headroom.HeadroomModel;
import org.fibnuma.pfc.headroom.HeadroomRequest;
import org.fibnuma.pfc.policy.PausePolicyKind;
import org.fibnuma.pfc.policy.PauseTimeLaw;
import org.fibnuma.pfc.policy.PauseUpkeep;
import org.fibnuma.pfc.priority.PriorityClassifier;
import org.fibnuma.pfc.simulator.Arbitration;
import org.fibnuma.pfc.simulator.InputObserver;
import org.fibnuma.pfc.simulator.PauseSimulation;
import org.fibnuma.pfc.simulator.SimulationSettings;
import org.fibnuma.pfc.wire.PfcFrameFlyweight;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The router's lossless port sends the pauses of the simulator for the same arrivals and departures. */
class SimulatedArrivalsTest
{
    private static final int PORTS = 4;
    private static final int CLASSES = 3;
    private static final long GBPS = 1_000_000_000L;
    private static final int QUEUE_BYTES = 333 * 1518;
    /** The marks of the simulator: 9/10 and 1/10 of a queue. */
    private static final int XOFF = 454_945;
    private static final int XON = 50_549;
    /** A packet of the simulator without the 24 bytes that the router adds for the wire. */
    private static final int LENGTH = 1518 - 24;
    private static final int CHUNK = 2048;

    private final MemoryRegion region = MemoryRegion.ofChunks(4, CHUNK);
    private final FramePool pool = new FramePool(region, CHUNK, 0, 4);
    private final PortShare[] shares = new PortShare[PORTS];
    private final List<String> simulated = new ArrayList<>();
    private final List<String> sent = new ArrayList<>();
    private long timeNs;

    @AfterEach
    void close()
    {
        region.close();
    }

    @ParameterizedTest
    @EnumSource(PausePolicyKind.class)
    void shouldSendThePausesOfTheSimulator(final PausePolicyKind policy)
    {
        open(policy);
        PauseSimulation.run(
            new SimulationSettings(
                PORTS, 0.95, policy, PauseTimeLaw.DEFAULT, 16, 5, 100_000, Arbitration.ALL_HEADS, PauseUpkeep.ROUTER),
            new Replay());
        assertTrue(simulated.size() > 100, simulated.size() + " frames");
        assertEquals(simulated, sent);
    }

    private void open(final PausePolicyKind policy)
    {
        final PfcConfig config = new PfcConfig(
            0, (1 << CLASSES) - 1, PriorityClassifier.byPcp(), policy, PauseTimeLaw.DEFAULT, 0, PORTS,
            new PfcLink("", 0, GBPS, XOFF, XON, QUEUE_BYTES - XOFF,
                HeadroomModel.OWN.compute(new HeadroomRequest(GBPS)), MacFlowControl.OFF),
            Map.of(), null, null);
        final FateCounters fates = new FateCounters(
            new CountersManager(
                new UnsafeBuffer(ByteBuffer.allocateDirect(256 * CountersReader.METADATA_LENGTH)),
                new UnsafeBuffer(ByteBuffer.allocateDirect(256 * CountersReader.COUNTER_LENGTH))),
            0, List.of("p0", "p1", "p2", "p3"), new PortDrops(PORTS).ofWorker(0));
        for (int port = 0; port < PORTS; port++)
        {
            shares[port] = new PortShare(
                new LosslessPort(config, config.link(), port, 1), 0, new Link(port), pool, new InterfaceTable(PORTS),
                fates);
        }
    }

    private static String line(final int port, final long nowNs, final int classEnable, final IntUnaryOperator quanta)
    {
        final StringBuilder line = new StringBuilder("port " + port + " at " + nowNs);
        for (int priority = 0; priority < CLASSES; priority++)
        {
            line.append((classEnable & 1 << priority) == 0 ? "" :
                " " + priority + ":" + quanta.applyAsInt(priority));
        }
        return line.toString();
    }

    /** Passes to the router's ports what happens in the simulator. */
    private final class Replay implements InputObserver
    {
        @Override
        public void onSlot(final int input, final long nowNs)
        {
            timeNs = nowNs;
            shares[input].onTime(nowNs);
        }

        @Override
        public void onArrival(final int input, final int priority, final long nowNs)
        {
            assertTrue(shares[input].admits(priority, LENGTH));
            shares[input].onQueued(priority, LENGTH, nowNs);
        }

        @Override
        public void onDeparture(final int input, final int priority, final long nowNs)
        {
            shares[input].onLeft(priority, LENGTH, nowNs);
        }

        @Override
        public void onPause(final int input, final int classEnable, final int[] quanta, final long nowNs)
        {
            simulated.add(line(input, nowNs, classEnable, priority -> quanta[priority]));
        }
    }

    /** The link of a port: notes the frames that the router sends. */
    private final class Link implements TxQueue
    {
        private final int port;
        private final PfcFrameFlyweight frame = new PfcFrameFlyweight();

        Link(final int port)
        {
            this.port = port;
        }

        @Override
        public boolean offer(final long handle, final long address, final int length)
        {
            frame.wrap(address);
            sent.add(line(port, timeNs, frame.classEnable(), frame::quanta));
            pool.release(handle);
            return true;
        }

        @Override
        public void flush()
        {
            // A frame is on the link when it is offered.
        }
    }
}
