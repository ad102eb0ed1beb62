package org.fibnuma.bench;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Runs every JMH benchmark once, for a moment, in this process and with small tables. */
class JmhBenchmarksTest
{
    @BeforeAll
    static void shareTheMachine()
    {
        // JMH refuses to run beside another JMH, because figures would be wrong. Here there are none.
        System.setProperty("jmh.ignoreLock", "true");
    }

    @Test
    void shouldRunEveryBenchmark() throws RunnerException
    {
        final Options options = new OptionsBuilder()
            .forks(0)
            .warmupIterations(0)
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(1))
            .param("table", "generated:1000")
            .param("table6", "generated:1000")
            .param("flows", "1000")
            .param("rules", "10")
            .param("ports", "4")
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .build();
        final Set<String> ran = new Runner(options).run().stream()
            .map(result -> result.getParams().getBenchmark()).collect(Collectors.toSet());
        final Set<String> all = BenchmarkList.defaultList()
            .getAll(OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT), List.of()).stream()
            .map(BenchmarkListEntry::getUsername).collect(Collectors.toSet());
        assertEquals(all, ran);
    }
}
