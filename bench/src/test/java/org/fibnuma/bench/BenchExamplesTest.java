package org.fibnuma.bench;

import org.fibnuma.bench.fabric.EvaluateCommand;
import org.fibnuma.bench.ring.RouterDeadlockCommand;
import org.fibnuma.core.service.command.CommandExamples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The examples in the help of the measurements can be read; other tests run the commands with less to do. */
class BenchExamplesTest
{
    @ParameterizedTest
    @ValueSource(classes = {BenchCommand.class, EvaluateCommand.class, RouterDeadlockCommand.class})
    void shouldHaveExamples(final Class<?> command)
    {
        CommandExamples.assertRead(new CommandLine(command));
    }

    @Test
    void shouldHaveTheSameBenchmarksAtAStart()
    {
        CommandExamples.assertSameAtAStart(BenchCommand.class);
    }
}
