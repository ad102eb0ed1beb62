package org.fibnuma.fibnic.config;

import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.core.agent.ThreadPinning;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Threads of the data path and the memory of their frames.
 *
 * @param count           of workers, each with one queue of every port.
 * @param cores           that they are pinned to, one each; empty: unpinned.
 * @param idle            how they wait, a name of {@link IdleStrategies}.
 * @param framesPerWorker chunks in each worker's pool, or 0 for as many as its rings and FIFOs can hold.
 * @param frameSize       bytes of a chunk, 2,048 or 4,096.
 * @param coresLine       of the cores in the file, or of their table.
 */
public record WorkerConfig(
    int count, List<Integer> cores, String idle, int framesPerWorker, int frameSize, int coresLine)
{
    /** More than any port of ours has queues for in practice. */
    static final int MAX_COUNT = 16;
    /** Costs next to nothing while no frame comes, and nothing at all while they come without a gap. */
    static final String DEFAULT_IDLE = IdleStrategies.BACKOFF;
    /** Holds a 1,500-byte packet with the headroom before it. */
    static final int DEFAULT_FRAME_SIZE = 2048;

    /**
     * The last cores of the machine, so that interrupts and the kernel's work, which start at the first, are
     * disturbed least; none where the machine has no core left for the control thread.
     *
     * @param count of workers.
     * @return one for each worker, or none.
     */
    static List<Integer> lastCores(final int count)
    {
        final int processors = Runtime.getRuntime().availableProcessors();
        return processors <= count ? List.of() :
            IntStream.range(processors - count, processors).boxed().toList();
    }

    /**
     * Where a worker runs.
     *
     * @param worker from 0.
     * @return its core, or {@link ThreadPinning#ANY_CORE}.
     */
    public int core(final int worker)
    {
        return cores.isEmpty() ? ThreadPinning.ANY_CORE : cores.get(worker);
    }
}
