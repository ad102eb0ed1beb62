package org.fibnuma.pfc.simulator;

/**
 * What one run counted.
 *
 * @param controlPacketsPerPort pause frames that the switch sent out of a port, on average.
 * @param lost                  packets that found their queue full.
 * @param throughput            packets that left for each that the links could have carried.
 * @param underflows            times that a queue ran empty while its sender, stopped, had packets for it.
 * @param pauseQuanta           of all pauses; ends of pauses do not count.
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
     * Pause times in quanta; all 0 where nothing was paused.
     *
     * @param min  shortest.
     * @param mean of all.
     * @param max  longest.
     */
    public record PauseTimes(int min, double mean, int max)
    {
    }
}
