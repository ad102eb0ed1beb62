package org.fibnuma.core.host;

import org.fibnuma.core.IoFailure;
import org.fibnuma.core.counter.CountersFile;
import org.fibnuma.core.counter.CountersFileException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Puts away what killed routers and endpoints have left on this host, whatever their names: values of interfaces,
 * counters in shared memory, control sockets. The regions of a killed endpoint stay: the next one of its name recovers
 * them. What cannot be put away is a line in the log; it does not keep a process from starting.
 */
public final class KilledProcesses
{
    private KilledProcesses()
    {
    }

    /**
     * Looks at all that processes of this user have recorded. To be called by every router and endpoint before it
     * opens its counters and ports.
     *
     * @param log takes a line for each value that is put back and for all that cannot be put away.
     */
    public static void cleanUp(final Consumer<String> log)
    {
        cleanUp(RunDirectory.path(), log);
    }

    static void cleanUp(final Path run, final Consumer<String> log)
    {
        try
        {
            LeftChanges.putBack(run, log, name -> removeFiles(run, name, log));
        }
        catch (final IOException ex)
        {
            log.accept("cannot look in " + run + " for what killed processes have left: " + IoFailure.reason(ex));
        }
    }

    private static void removeFiles(final Path run, final String name, final Consumer<String> log)
    {
        try
        {
            // Whoever makes the counters owns the name: no process of it can start meanwhile.
            final CountersFile counters = CountersFile.create(CountersFile.directoryOf(name), 1);
            try
            {
                Files.deleteIfExists(RunDirectory.controlSocketOf(run, name));
            }
            finally
            {
                counters.close();
            }
        }
        catch (final CountersFileException | IllegalArgumentException ignore)
        {
            // A process of the name runs again, and has replaced the files; or the directory has no process's name.
        }
        catch (final IOException ex)
        {
            log.accept("cannot remove the control socket of \"" + name + "\": " + IoFailure.reason(ex));
        }
    }
}
