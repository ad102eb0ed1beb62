package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.Require;
import org.fibnuma.core.frame.Disposition;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateCounters;
import org.fibnuma.fibnic.stage.FrameClass;
import org.fibnuma.fibnic.stage.Stage;
import org.fibnuma.fibnic.stage.StageObserver;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The order of the stages and the reasons for which each drops frames, as a running router shows them. */
class PipelineTest
{
    private static final int ROUNDS = 100;
    private static final Set<String> PORTS = Set.of("RxQueue", "TxQueue");
    private static final Set<Stage> SENDING = EnumSet.of(Stage.IPV4_FRAGMENTER, Stage.EGRESS_QUEUES);

    @Test
    void shouldRunTheStagesInTheOrderOfTheEnum()
    {
        try (TwinRouters routers = new TwinRouters(lossless(), lossless()))
        {
            final RouterFixture router = routers.classifying;
            final Recorder recorder = new Recorder(router.agent);
            for (int round = 0; round < ROUNDS; round++)
            {
                StageObserverTest.randomFrames(round, routers).forEach(frame -> router.receive(0, frame));
                while (router.process(0, recorder) > 0)
                {
                    router.run();
                }
                for (int port = 0; port <= TwinRouters.PORTS; port++)
                {
                    router.sent(port);
                }
            }
            assertEquals(EnumSet.complementOf(EnumSet.of(Stage.HOST_INPUT)), recorder.stages);
            assertTrue(recorder.reasons.size() > 25, recorder.reasons::toString);
        }
    }

    private static RouterFixture lossless()
    {
        return RouterFixture.lossless(
            TwinRouters.PORTS, StageObserverTest.losslessConfig(), 1, TwinRouters::settings);
    }

    /** Down the drawing, no stage is above one that runs before it. */
    @Test
    void shouldDrawTheStagesInTheOrderOfTheEnum() throws IOException
    {
        final List<String> drawing = Files.readString(Require.projectDirectory().resolve(
            "fibnic-forwarder/src/main/java/org/fibnuma/fibnic/datapath/package-info.java"))
            .replaceAll("(?s).*<pre>|</pre>.*", "").lines().toList();
        final Map<String, Integer> lines = new LinkedHashMap<>();
        for (int line = 0; line < drawing.size(); line++)
        {
            final Matcher name = Pattern.compile("\\b[A-Z]\\w*[a-z]\\w*[A-Z]\\w*").matcher(drawing.get(line));
            while (name.find())
            {
                lines.putIfAbsent(name.group(), line);
            }
        }
        lines.keySet().removeAll(PORTS);
        assertEquals(
            Stream.of(Stage.values()).map(Stage::label).collect(Collectors.toSet()), lines.keySet());
        int last = 0;
        for (final Stage stage : Stage.values())
        {
            assertTrue(lines.get(stage.label()) >= last, stage.label());
            last = lines.get(stage.label());
        }
    }

    @Test
    void shouldNameTheStagesByTheirClasses()
    {
        final Set<String> classes = Stream.of(Pipeline.class.getDeclaredFields())
            .map(field -> field.getType().getSimpleName()).collect(Collectors.toSet());
        final Set<String> stages = Stream.of(Stage.values())
            .filter(stage -> stage != Stage.HOST_INPUT).map(Stage::label).collect(Collectors.toSet());
        assertTrue(classes.containsAll(stages), stages::toString);
        classes.removeAll(stages);
        // The lookup stages share the rules.
        assertEquals(Set.of("FrameBatch", "FrameList", "FateCounters", "BatchClock", "RuleLookup"), classes);
    }

    /** Checks each stage after it has run: frames of each class pass the stages in their order. */
    private static final class Recorder implements StageObserver
    {
        final Set<Stage> stages = EnumSet.noneOf(Stage.class);
        final Set<DropReason> reasons = EnumSet.noneOf(DropReason.class);
        private final FrameBatch frames;
        private final FateCounters counters;
        private final Map<FrameClass, Stage> last = new HashMap<>();
        private final boolean[] isDropped = new boolean[FrameBatch.CAPACITY];
        private long[] drops;

        private Recorder(final ForwarderAgent agent)
        {
            frames = agent.pipeline.frames;
            counters = agent.counters();
        }

        @Override
        public void begin()
        {
            last.clear();
            drops = drops();
        }

        @Override
        public void after(final Stage stage, final FrameClass of, final int count)
        {
            stages.add(stage);
            if (stage == Stage.VLAN_INPUT)
            {
                last.clear();
                Arrays.fill(isDropped, false);
            }
            for (final FrameClass each : FrameClass.values())
            {
                if (of == FrameClass.NONE || of == each)
                {
                    final Stage before = last.put(each, stage);
                    assertTrue(
                        before == null || before.compareTo(stage) < 0, () -> stage + " after " + before + ", " + each);
                }
            }
            checkReasons(stage);
        }

        private void checkReasons(final Stage stage)
        {
            for (int i = 0; i < frames.size() && !SENDING.contains(stage); i++)
            {
                if (frames.disposition(i) == Disposition.DROP && !isDropped[i])
                {
                    isDropped[i] = true;
                    check(stage.reasons(), DropReason.of(frames.dropReason(i)), stage);
                }
            }
            final long[] now = drops();
            for (final DropReason reason : DropReason.values())
            {
                if (SENDING.contains(stage) && now[reason.id()] > drops[reason.id()])
                {
                    check(stage.reasons(), reason, stage);
                }
            }
            drops = now;
        }

        private void check(final Set<DropReason> expected, final DropReason reason, final Stage stage)
        {
            assertTrue(expected.contains(reason), () -> stage + " drops for " + reason);
            reasons.add(reason);
        }

        private long[] drops()
        {
            return Stream.of(DropReason.values()).mapToLong(counters::get).toArray();
        }

        @Override
        public void end()
        {
            assertEquals(Stage.EGRESS_QUEUES, last.get(FrameClass.NONE));
        }
    }
}
