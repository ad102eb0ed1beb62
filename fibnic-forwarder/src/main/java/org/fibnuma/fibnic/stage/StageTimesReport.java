package org.fibnuma.fibnic.stage;

import org.agrona.concurrent.status.CountersReader;

/** The sums of the published {@link StageTimes} of all workers at one moment. */
public final class StageTimesReport
{
    private final long[] sums = new long[StageTimes.COUNTERS];

    private StageTimesReport()
    {
    }

    /** Reads the published counters of a router. */
    public static StageTimesReport of(final CountersReader counters)
    {
        final StageTimesReport report = new StageTimesReport();
        counters.forEach((id, type, key, label) ->
        {
            if (type >= StageTimes.TYPE && type < StageTimes.TYPE + StageTimes.COUNTERS)
            {
                report.sums[type - StageTimes.TYPE] += counters.getCounterValue(id);
            }
        });
        return report;
    }

    /** Returns the nanoseconds that a stage took for all its sampled batches. */
    public long nanoseconds(final Stage stage)
    {
        return sums[StageTimes.index(stage, StageTimes.Value.NANOSECONDS)];
    }

    /** Returns the frames of all sampled batches that a stage was given. */
    public long frames(final Stage stage)
    {
        return sums[StageTimes.index(stage, StageTimes.Value.FRAMES)];
    }

    /** Returns the number of sampled batches with frames for a stage. */
    public long batches(final Stage stage)
    {
        return sums[StageTimes.index(stage, StageTimes.Value.BATCHES)];
    }
}
