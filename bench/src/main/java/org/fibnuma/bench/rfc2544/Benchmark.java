package org.fibnuma.bench.rfc2544;

import org.HdrHistogram.Histogram;

import java.util.ArrayList;
import java.util.List;

/**
 * The tests of RFC 2544 section 26 for one device and one kind of frames. A virtual machine stops a thread for
 * milliseconds now and then, which loses frames at any rate: a trial with loss is repeated, and a rate counts as free
 * of loss if one of its trials is.
 */
final class Benchmark
{
    /** Section 26.3: the loss is measured at steps of 10 % of the highest rate. */
    private static final int LOSS_STEPS = 10;
    /** Section 26.3: two rates in a row without loss end the test. */
    private static final int LOSS_FREE_RATES = 2;
    /** RFC 9004 section 5.4: the longest burst takes two seconds. */
    private static final int LONGEST_BURST_S = 2;
    private static final int MOST_ATTEMPTS = 3;
    /** A greater loss is not that of a stopped thread. */
    private static final double LOSS_OF_OVERLOAD = 0.05;
    /** A device that loses frames at this rate has no throughput. */
    private static final double LOWEST_PPS = 10;
    private static final int PERCENT = 100;

    private final Runner runner;
    private final long trialNs;
    private final double resolution;
    private final double tolerance;

    /** Runs a trial, see {@link Tester#run}. */
    @FunctionalInterface
    interface Runner
    {
        Trial run(double pps, long durationNs, long most);
    }

    /**
     * Loss at a rate.
     *
     * @param percent    of the highest rate of the tester.
     * @param offeredPps frames a second that were sent.
     * @param lossRate   share that was lost, 0 to 1.
     */
    record Loss(int percent, double offeredPps, double lossRate)
    {
    }

    /**
     * Throughput.
     *
     * @param pps             highest rate without loss.
     * @param isTesterLimited whether that is the highest rate of the tester, within the resolution.
     * @param most            loss at the highest rate of the tester.
     */
    record Throughput(double pps, boolean isTesterLimited, Loss most)
    {
    }

    /**
     * Creates the tests.
     *
     * @param runner     runs the trials.
     * @param trialNs    length of a trial.
     * @param resolution of the throughput and of the longest burst, as a share of them.
     * @param tolerance  share of the frames of a trial that may be lost.
     */
    Benchmark(final Runner runner, final long trialNs, final double resolution, final double tolerance)
    {
        this.runner = runner;
        this.trialNs = trialNs;
        this.resolution = resolution;
        this.tolerance = tolerance;
    }

    /** Searches the throughput, section 26.1: the highest rate at which the device forwards all frames. */
    Throughput throughput()
    {
        final Trial first = attempt(Tester.UNLIMITED);
        final double mostPps = first.offeredPps();
        final Loss most = new Loss(PERCENT, mostPps, first.lossRate());
        if (isFree(first))
        {
            return new Throughput(mostPps, true, most);
        }
        double low = 0;
        double high = mostPps;
        double rate = first.forwardedPps();
        double highestPps = 0;
        while (high - low > resolution * high && high > LOWEST_PPS)
        {
            if (rate <= low || rate >= high)
            {
                rate = (low + high) / 2;
            }
            final Trial trial = attempt(rate);
            if (isFree(trial))
            {
                highestPps = Math.max(highestPps, trial.offeredPps());
                low = rate;
                rate = (low + high) / 2;
            }
            else
            {
                high = rate;
                rate = Math.max(trial.forwardedPps(), (low + high) / 2);
            }
        }
        return new Throughput(highestPps, highestPps >= (1 - resolution) * mostPps, most);
    }

    /** Measures the latency at a rate, section 26.2. */
    Histogram latency(final double pps)
    {
        return runner.run(pps, trialNs, Long.MAX_VALUE).latencies();
    }

    /** Measures the loss below the tester's highest rate, section 26.3; that at this rate is the first. */
    List<Loss> losses(final Loss most)
    {
        final List<Loss> losses = new ArrayList<>(List.of(most));
        int free = most.lossRate() <= tolerance ? 1 : 0;
        for (int tenths = LOSS_STEPS - 1; tenths > 0 && free < LOSS_FREE_RATES; tenths--)
        {
            final Trial trial = attempt(most.offeredPps() * tenths / LOSS_STEPS);
            losses.add(new Loss(PERCENT * tenths / LOSS_STEPS, trial.offeredPps(), trial.lossRate()));
            free = isFree(trial) ? free + 1 : 0;
        }
        return losses;
    }

    /** Returns the longest burst at the tester's highest rate of which no frame is lost, section 26.4 and RFC 9004. */
    long backToBack(final double mostPps)
    {
        final long longest = (long)(LONGEST_BURST_S * mostPps);
        long low = 0;
        long high = 1;
        while (high < longest && isFreeBurst(high))
        {
            low = high;
            high = Math.min(longest, 2 * high);
        }
        if (high == longest && isFreeBurst(longest))
        {
            return longest;
        }
        while (high - low > Math.max(1, resolution * high))
        {
            final long burst = (low + high) / 2;
            if (isFreeBurst(burst))
            {
                low = burst;
            }
            else
            {
                high = burst;
            }
        }
        return low;
    }

    private boolean isFreeBurst(final long burst)
    {
        for (int i = 0; i < MOST_ATTEMPTS; i++)
        {
            final Trial trial = runner.run(Tester.UNLIMITED, Long.MAX_VALUE, burst);
            if (isFree(trial) || trial.lossRate() > LOSS_OF_OVERLOAD)
            {
                return isFree(trial);
            }
        }
        return false;
    }

    private Trial attempt(final double pps)
    {
        Trial best = runner.run(pps, trialNs, Long.MAX_VALUE);
        for (int i = 1; i < MOST_ATTEMPTS && !isFree(best) && best.lossRate() < LOSS_OF_OVERLOAD; i++)
        {
            final Trial trial = runner.run(pps, trialNs, Long.MAX_VALUE);
            best = trial.lossRate() < best.lossRate() ? trial : best;
        }
        return best;
    }

    private boolean isFree(final Trial trial)
    {
        return trial.lossRate() <= tolerance;
    }
}
