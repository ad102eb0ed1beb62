package org.fibnuma.bench.rfc2544;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.HdrHistogram.Histogram;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The tests find what a device does whose rate and queue are known. */
class BenchmarkPropertyTest
{
    private static final double RESOLUTION = 0.01;
    private static final long TRIAL_NS = 1_000_000_000;

    /** A device that forwards at a rate and keeps some frames, behind a tester with a highest rate. */
    private record Simulation(double testerPps, double devicePps, int queue) implements Benchmark.Runner
    {
        @Override
        public Trial run(final double pps, final long durationNs, final long most)
        {
            final double rate = Math.min(pps, testerPps);
            final long sent = Math.round(Math.min(most, rate * durationNs / 1e9));
            final double seconds = sent / rate;
            final long forwarded = Math.min(sent, Math.round(devicePps * seconds) + queue);
            return new Trial(sent, forwarded, 0, Math.max(1, Math.round(seconds * 1e9)), new Histogram(1000, 3));
        }
    }

    @Property
    void shouldFindTheRateOfTheDevice(
        @ForAll @DoubleRange(min = 1e3, max = 2e7) final double devicePps,
        @ForAll @DoubleRange(min = 1.1, max = 50) final double factor,
        @ForAll @IntRange(min = 0, max = 40) final int queue)
    {
        final int kept = (int)(1e-4 * queue * devicePps);
        final Simulation simulation = new Simulation(factor * devicePps, devicePps, kept);
        final Benchmark.Throughput throughput = benchmark(simulation).throughput();

        // What the queue keeps at the end of a trial was not lost.
        final double lossFree = devicePps + kept;
        assertFalse(throughput.isTesterLimited());
        assertEquals(lossFree, throughput.pps(), RESOLUTION * lossFree + 2);
        assertTrue(throughput.pps() <= lossFree + 2, throughput::toString);
        assertEquals(factor * devicePps, throughput.most().offeredPps(), 2);
    }

    @Property
    void shouldSayThatTheTesterWasTheLimit(@ForAll @DoubleRange(min = 1e3, max = 2e7) final double testerPps)
    {
        final Benchmark.Throughput throughput = benchmark(new Simulation(testerPps, 2 * testerPps, 0)).throughput();

        assertTrue(throughput.isTesterLimited());
        assertEquals(testerPps, throughput.pps(), 2);
    }

    @Property
    void shouldFindTheBurstThatTheQueueKeeps(
        @ForAll @DoubleRange(min = 1e5, max = 1e7) final double devicePps,
        @ForAll @IntRange(min = 0, max = 4096) final int queue)
    {
        final Simulation simulation = new Simulation(2 * devicePps, devicePps, queue);

        // While the burst arrives the device forwards half of it.
        assertEquals(2 * queue, benchmark(simulation).backToBack(2 * devicePps), RESOLUTION * 2 * queue + 3);
    }

    @Property
    void shouldMeasureTheLossDownToTwoRatesWithoutLoss(@ForAll @IntRange(min = 15, max = 95) final int percent)
    {
        final Simulation simulation = new Simulation(1e6, 1e4 * percent, 0);
        final List<Benchmark.Loss> losses = benchmark(simulation).losses(benchmark(simulation).throughput().most());

        for (final Benchmark.Loss loss : losses)
        {
            assertEquals(Math.max(0, 1 - (double)percent / loss.percent()), loss.lossRate(), 1e-5);
        }
        assertEquals(Math.max(10, percent / 10 * 10 - 10), losses.get(losses.size() - 1).percent());
    }

    @Property(tries = 1)
    void shouldFindNoThroughputOfADeviceThatForwardsNothing()
    {
        assertEquals(0, benchmark(new Simulation(1e6, 0, 0)).throughput().pps());
        assertEquals(0, benchmark(new Simulation(1e6, 0, 0)).backToBack(1e6));
    }

    private static Benchmark benchmark(final Simulation simulation)
    {
        return new Benchmark(simulation, TRIAL_NS, RESOLUTION, 0);
    }
}
