package org.fibnuma.pfc.simulator;

/**
 * The results of one run.
 *
 * @param controlPacketsPerPort pause frames that the switch sent through a port, on average.
 * @param lost                  packets dropped because their queue was full.
 * @param throughput            packets delivered as a fraction of the links' capacity.
 * @param underflows            number of times that a queue became empty while its paused sender had packets for it.
 * @param pauseQuanta           of all pauses, without ends of pauses.
 * @param seconds               of simulated time.
 */
public record SimulationResult(
    double controlPacketsPerPort,
    long lost,
    double throughput,
    long underflows,
    PauseTimes pauseQuanta,
    double seconds)
{
    /**
     * Pause times in quanta; all 0 if there was no pause.
     *
     * @param min  shortest.
     * @param mean of all.
     * @param max  longest.
     */
    public record PauseTimes(int min, double mean, int max)
    {
    }
}
