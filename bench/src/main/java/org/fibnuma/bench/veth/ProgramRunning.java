package org.fibnuma.bench.veth;

import org.fibnuma.core.UserException;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A contestant that is a process.
 *
 * @param name   for the message.
 * @param alive  whether it still runs.
 * @param errors what it complained.
 * @param stop   ends it.
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
