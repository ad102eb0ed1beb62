package org.fibnuma.fibnic.config;

import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.core.agent.ThreadPinning;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Workers of the data path and the memory of their frames.
 *
 * @param count           of workers, each with one queue of every port.
 * @param cores           to pin the workers to, one for each; empty for none.
 * @param idle            idle strategy, a name of {@link IdleStrategies}.
 * @param framesPerWorker chunks in each worker's pool, or 0 for as many as its rings and FIFOs can hold.
 * @param frameSize       bytes of a chunk, 2,048 or 4,096, or {@link #FRAME_SIZE_OF_PORTS}.
 * @param coresLine       line of the cores in the file, or of their table.
 */
public record WorkerConfig(
    int count, List<Integer> cores, String idle, int framesPerWorker, int frameSize, int coresLine)
{
    /** Ports in practice have fewer queues. */
    static final int MAX_COUNT = 16;
    /** It takes little CPU time while no frame is received, and delays none while frames arrive without a gap. */
    static final String DEFAULT_IDLE = IdleStrategies.BACKOFF;
    /** The least size with which every port receives all packets of its MTU. */
    public static final int FRAME_SIZE_OF_PORTS = 0;

    /**
     * Returns the last cores of the machine, one for each worker, because interrupts and the kernel use the first ones;
     * no core if none would be left for the control thread.
     */
    static List<Integer> lastCores(final int count)
    {
        final int processors = Runtime.getRuntime().availableProcessors();
        return processors <= count ? List.of() :
            IntStream.range(processors - count, processors).boxed().toList();
    }

    /** Returns a copy with another size of a chunk in bytes. */
    public WorkerConfig withFrameSize(final int bytes)
    {
        return new WorkerConfig(count, cores, idle, framesPerWorker, bytes, coresLine);
    }

    /** Returns the core of a worker, or {@link ThreadPinning#ANY_CORE}. */
    public int core(final int worker)
    {
        return cores.isEmpty() ? ThreadPinning.ANY_CORE : cores.get(worker);
    }
}
