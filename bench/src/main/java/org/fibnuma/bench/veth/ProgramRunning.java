package org.fibnuma.bench.veth;

import org.fibnuma.core.UserException;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A contestant that is a process.
 *
 * @param name   contestant's name for error messages.
 * @param alive  returns whether the process still runs.
 * @param errors returns the lines that the process has written to standard error.
 * @param stop   ends the process.
 */
record ProgramRunning(String name, BooleanSupplier alive, Supplier<List<String>> errors, Runnable stop)
    implements Contestant.Running
{
    @Override
    public void verify()
    {
        if (!alive.getAsBoolean())
        {
            throw new UserException(name + " ended by itself: " + String.join(" | ", errors.get()));
        }
    }

    @Override
    public void close()
    {
        stop.run();
    }
}
