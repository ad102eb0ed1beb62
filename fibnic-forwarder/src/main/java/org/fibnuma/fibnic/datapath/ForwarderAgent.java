package org.fibnuma.fibnic.datapath;

import org.agrona.concurrent.Agent;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.fibnic.capture.CapturePoint;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.fibnuma.fibnic.ports.PortQueues;
import org.fibnuma.fibnic.ports.PortTable;
import org.fibnuma.fibnic.stage.StageClock;
import org.fibnuma.fibnic.stage.StageObserver;
import org.fibnuma.fibnic.stage.StageTimes;

/**
 * One worker of the router: it owns one queue of every port and forwards the frames that it receives there, see
 * {@link Pipeline}. Everything in it belongs to the thread that runs {@link #doWork()}. The control thread communicates
 * with it only through the tables of the {@link ForwarderContext}.
 */
public final class ForwarderAgent implements Agent
{
    /** Under load, work that may be delayed by some ten microseconds is done in every 32nd duty cycle; a power of 2. */
    private static final int CYCLES_BETWEEN_CHORES = 32;

    final Pipeline pipeline;
    private final FrameBatch frames;
    final FateCounters counters;
    final CapturePoint capturePoint;
    private final StageClock stageClock;
    private final TraceObserver traceObserver;
    private final HostInput hostInput;
    private final ReaderEpochs.Reader reader;
    private final String roleName;
    private final int worker;
    private final PortTable portTable;
    private PortQueues portQueues;
    /** By port index. */
    private RxQueue[] rxQueues;
    private int cycle;

    /** Takes the classifier, so that a test can have every frame treated as an exception. */
    ForwarderAgent(final ForwarderContext context, final EgressQueues egress, final FrameClassifier classifier)
    {
        worker = context.worker;
        roleName = "worker-" + worker;
        portTable = context.portTable;
        counters = egress.counters();
        capturePoint = context.capturePoint;
        pipeline = new Pipeline(context, egress, classifier);
        frames = pipeline.frames;
        stageClock = new StageClock(context.clock, new StageTimes(context.counters, worker));
        traceObserver = new TraceObserver(pipeline, context, counters);
        hostInput = new HostInput(context, egress, counters);
        take(portTable.ofWorker(worker));
        reader = context.readerEpochs.register();
    }

    /** Creates the worker that a concluded context describes, with lossless priorities if the context has them. */
    public static ForwarderAgent of(final ForwarderContext context)
    {
        final EgressQueues egress = EgressQueues.of(context);
        return new ForwarderAgent(context, egress, new FrameClassifier(context, egress.counters()));
    }

    @Override
    public int doWork()
    {
        int work = 0;
        for (final RxQueue rxQueue : rxQueues)
        {
            frames.clear();
            final int received = rxQueue.receive(frames);
            if (received > 0)
            {
                pipeline.process(capturePoint.isOn() ? observer() : null);
                work += received;
            }
        }
        return endCycle(work);
    }

    /** Captures the received frames if a capture runs, and returns the observer of their stages, null for none. */
    private StageObserver observer()
    {
        capturePoint.received(frames);
        if (capturePoint.takeSample())
        {
            return stageClock;
        }
        return traceObserver.mark(capturePoint.traces()) ? traceObserver : null;
    }

    /**
     * Does the part of a duty cycle that follows the received frames.
     *
     * @param received number of received frames.
     * @return the work of the whole duty cycle: frames that were received, released or drained, and those of the host.
     */
    private int endCycle(final int received)
    {
        final boolean isChoreCycle = isChoreCycle(received);
        int work = received + (isChoreCycle ? pipeline.sendHeld() : 0);
        pipeline.sendMessages();
        work += hostInput.process();
        work += pipeline.egressQueues.flush();
        pipeline.puntOutput.flush();
        reader.quiesce();
        capturePoint.refresh(stageClock.isDueAfter(received));
        followPorts();
        countCycle(work, isChoreCycle);
        return work;
    }

    /** Returns whether this duty cycle does the delayed work: it is idle, or the 32nd one under load. */
    private boolean isChoreCycle(final int work)
    {
        return work == 0 || (++cycle & CYCLES_BETWEEN_CHORES - 1) == 0;
    }

    /** Uses added and replaced ports. The counters of a port that replaces another one begin at 0. */
    private void followPorts()
    {
        final PortQueues now = portTable.ofWorker(worker);
        if (now != portQueues)
        {
            for (int port = 0; port < now.size(); port++)
            {
                if (portQueues.isReplaced(port, now))
                {
                    pipeline.egressQueues.dropWaiting(port);
                    counters.beginPort(port);
                }
            }
            take(now);
        }
    }

    private void take(final PortQueues ports)
    {
        portQueues = ports;
        rxQueues = ports.rxQueues();
        pipeline.take(ports);
    }

    private void countCycle(final int work, final boolean isChoreCycle)
    {
        counters.polled(work);
        if (isChoreCycle)
        {
            counters.publish();
        }
    }

    @Override
    public String roleName()
    {
        return roleName;
    }

    /**
     * Publishes the last counts and ends the use of the FIBs. Held frames are not released: their pool is closed with
     * the router.
     */
    @Override
    public void onClose()
    {
        pipeline.ipv4Lookup.close();
        reader.close();
        counters.publish();
    }

    /** Returns the counters of this worker, to be read on its thread or after it has stopped. */
    public FateCounters counters()
    {
        return counters;
    }
}
