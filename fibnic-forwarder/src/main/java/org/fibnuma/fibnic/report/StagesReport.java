package org.fibnuma.fibnic.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.agrona.concurrent.status.CountersReader;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateReport;
import org.fibnuma.fibnic.fate.ForwarderCounter;
import org.fibnuma.fibnic.stage.Stage;
import org.fibnuma.fibnic.stage.StageTimesReport;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The stages of the data path in their order: frames, drops, and the time that each stage took for sampled batches. */
public final class StagesReport
{
    private static final double HUNDREDTHS = 100;

    private StagesReport()
    {
    }

    /**
     * Returns the frames, drops and times of every stage.
     *
     * @param counters of the workers.
     * @return an object with arrays {@code stages} and {@code times}; {@code times} has the stages with frames in
     *         sampled batches only.
     */
    public static ObjectNode of(final CountersReader counters)
    {
        final ObjectNode answer = JsonNodeFactory.instance.objectNode();
        final FateReport fates = FateReport.of(counters);
        final ArrayNode stages = answer.putArray("stages");
        for (final Stage stage : Stage.values())
        {
            addRows(stages, stage, fates);
        }
        addTimes(answer.putArray("times"), StageTimesReport.of(counters));
        return answer;
    }

    /** Adds rows of a stage: for its own drop reasons, and for those of several stages of which it is the last. */
    private static void addRows(final ArrayNode rows, final Stage stage, final FateReport fates)
    {
        final Map<List<Stage>, Long> dropped = new LinkedHashMap<>();
        if (stage.counter() != null && stage.reasons().isEmpty())
        {
            dropped.put(List.of(stage), 0L);
        }
        for (final DropReason reason : stage.reasons())
        {
            dropped.merge(stagesOf(reason), fates.get(reason), Long::sum);
        }
        dropped.forEach((stages, drops) ->
        {
            if (stages.get(stages.size() - 1) == stage)
            {
                rows.addObject()
                    .put("stage", stages.stream().map(Stage::label).collect(Collectors.joining(", ")))
                    .put("frames", frames(stages, fates))
                    .put("which", stage.which())
                    .put("dropped", drops);
            }
        });
    }

    private static long frames(final List<Stage> stages, final FateReport fates)
    {
        final long counted = stages.stream().map(Stage::counter).distinct().mapToLong(fates::get).sum();
        return stages.contains(Stage.FRAME_CLASSIFIER) ? counted - fates.get(ForwarderCounter.EXCEPTIONS) : counted;
    }

    /** Returns the stages that drop frames for a reason, in their order. */
    private static List<Stage> stagesOf(final DropReason reason)
    {
        return Stream.of(Stage.values()).filter(stage -> stage.reasons().contains(reason)).toList();
    }

    private static void addTimes(final ArrayNode rows, final StageTimesReport times)
    {
        for (final Stage stage : Stage.values())
        {
            final double frames = times.frames(stage);
            if (frames > 0)
            {
                rows.addObject()
                    .put("stage", stage.label())
                    .put("nsPerFrame", rounded(times.nanoseconds(stage) / frames))
                    .put("batch", rounded(frames / times.batches(stage)))
                    .put("sampledFrames", times.frames(stage))
                    .put("sampledBatches", times.batches(stage));
            }
        }
    }

    private static double rounded(final double value)
    {
        return Math.round(value * HUNDREDTHS) / HUNDREDTHS;
    }
}
