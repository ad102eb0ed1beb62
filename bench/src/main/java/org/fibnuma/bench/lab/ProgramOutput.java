package org.fibnuma.bench.lab;

import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;

import java.time.Duration;

/** The output of a program that measures, prints its result and ends. */
public final class ProgramOutput
{
    private ProgramOutput()
    {
    }

    /**
     * Waits until a program has ended.
     *
     * @param program  the running program.
     * @param patience longest time to wait.
     * @param name     of what it measures, for error messages.
     * @return its standard output.
     * @throws UserException if it ends with another status than 0 or takes longer; the message has its errors.
     */
    public static String await(final ChildProcess program, final Duration patience, final String name)
    {
        if (program.awaitExit(patience) != 0)
        {
            throw new UserException(name + ": " + String.join(" | ", program.errors()));
        }
        return String.join("\n", program.output());
    }
}
