package org.fibnuma.fibnic.control;

import org.fibnuma.core.IoFailure;
import org.fibnuma.core.counter.CountersFile;
import org.fibnuma.core.counter.CountersFileException;
import org.fibnuma.core.host.LeftChanges;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Puts away what killed routers have left on this host, whatever their names: values of interfaces, counters in shared
 * memory, control sockets. What cannot be put away is a line in the log; it does not keep a router from starting.
 */
final class KilledRouters
{
    private static final Logger LOG = LoggerFactory.getLogger(KilledRouters.class);

    private KilledRouters()
    {
    }

    /** The directory has the control sockets of this user, and a directory with records for each name. */
    static void cleanUp(final Path run)
    {
        try
        {
            LeftChanges.putBack(run, LOG::warn, name -> removeFiles(run, name));
        }
        catch (final IOException ex)
        {
            LOG.warn("cannot look in {} for what killed routers have left: {}", run, IoFailure.reason(ex));
        }
    }

    private static void removeFiles(final Path run, final String name)
    {
        try
        {
            // Whoever makes the counters owns the name: no router of it can start meanwhile, or one runs again.
            final CountersFile counters = CountersFile.create(CountersFile.directoryOf(name), 1);
            try
            {
                Files.deleteIfExists(run.resolve(name + ".sock"));
            }
            finally
            {
                counters.close();
            }
        }
        catch (final CountersFileException | IllegalArgumentException ex)
        {
            LOG.debug("the files of \"{}\" stay: {}", name, ex.getMessage());
        }
        catch (final IOException ex)
        {
            LOG.warn("cannot remove the control socket of \"{}\": {}", name, IoFailure.reason(ex));
        }
    }
}
