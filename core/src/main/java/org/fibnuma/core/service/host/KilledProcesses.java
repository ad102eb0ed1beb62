package org.fibnuma.core.service.host;

import org.fibnuma.core.IoFailure;
import org.fibnuma.core.UserException;
import org.fibnuma.core.counter.CountersFile;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Consumer;

/**
 * Cleans up after killed routers and endpoints of any name: restores values of interfaces, removes counters in shared
 * memory and control sockets. A value in another network namespace stays in its record until a process starts there.
 * The regions of a killed endpoint stay: the next endpoint of its name recovers them. Failures are logged and do not
 * prevent the start.
 */
public final class KilledProcesses
{
    private static final String LOCK = "changes.lock";

    private final Path run;
    private final List<InterfaceValues> kernel = new ArrayList<>();
    private final Consumer<String> log;

    KilledProcesses(final Path run, final Path interfaces, final Consumer<String> log)
    {
        this.run = run;
        this.kernel.add(new SysfsValues(interfaces));
        this.log = log;
    }

    /**
     * Cleans up after all processes of this user that left a record. Every router and endpoint calls this before it
     * opens its counters and ports.
     *
     * @param log receives a line for each restored value and each failure.
     */
    public static void cleanUp(final Consumer<String> log)
    {
        cleanUp(RunDirectory.path(), log);
    }

    static void cleanUp(final Path run, final Consumer<String> log)
    {
        try
        {
            new KilledProcesses(run, HostChanges.INTERFACES, log).putBack(name -> removeFiles(run, name, log));
        }
        catch (final IOException ex)
        {
            log.accept("cannot clean up after killed processes in " + run + ": " + IoFailure.reason(ex));
        }
    }

    private static void removeFiles(final Path run, final String name, final Consumer<String> log)
    {
        try
        {
            // The owner of the counters owns the name: no process of that name can start meanwhile.
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
        catch (final UserException | IllegalArgumentException ignore)
        {
            // A new process of the name has replaced the files, or the directory is not that of a process.
        }
        catch (final IOException ex)
        {
            log.accept("cannot remove the control socket of \"" + name + "\": " + IoFailure.reason(ex));
        }
    }

    /** Restores the values of all killed processes and passes on their names. A lock admits one process at a time. */
    void putBack(final Consumer<String> onRestored) throws IOException
    {
        if (!Files.isDirectory(run, LinkOption.NOFOLLOW_LINKS))
        {
            return;
        }
        // A file lock does not exclude another thread of this process.
        synchronized (KilledProcesses.class)
        {
            try (FileChannel channel = FileChannel.open(
                run.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS))
            {
                // Released with the channel.
                channel.lock();
                ServiceLoader.load(InterfaceValues.class).forEach(kernel::add);
                for (final Path file : records())
                {
                    putBackOne(file, onRestored);
                }
            }
            finally
            {
                kernel.forEach(InterfaceValues::close);
            }
        }
    }

    private List<Path> records() throws IOException
    {
        final List<Path> records = new ArrayList<>();
        try (DirectoryStream<Path> names =
            Files.newDirectoryStream(run, name -> Files.isDirectory(name, LinkOption.NOFOLLOW_LINKS)))
        {
            for (final Path name : names)
            {
                try (DirectoryStream<Path> files = Files.newDirectoryStream(name, "*" + ChangeRecord.SUFFIX))
                {
                    files.forEach(records::add);
                }
            }
        }
        return records;
    }

    private void putBackOne(final Path file, final Consumer<String> onRestored)
    {
        try
        {
            final ChangeRecord record = ChangeRecord.read(file);
            if (record.owner().isDead())
            {
                putBack(file, record);
                onRestored.accept(file.getParent().getFileName().toString());
            }
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            log.accept("cannot undo the changes of a killed process with " + file + ": " + ex.getMessage() +
                "; remove the file");
        }
    }

    private void putBack(final Path file, final ChangeRecord record) throws IOException
    {
        final List<InterfaceValue> left = new ArrayList<>();
        final String name = file.getParent().getFileName().toString();
        // The last change first: a value that was changed twice gets its first value.
        for (int i = record.values().size() - 1; i >= 0; i--)
        {
            final InterfaceValue value = record.values().get(i);
            final InterfaceValues values = valuesOf(value.name());
            if (values == null || !value.isReachable())
            {
                left.add(0, value);
            }
            else if (value.putBack(values))
            {
                log.accept("interface " + value.device() + ": " + value.name() + " is " + value.before() +
                    " again: \"" + name + "\" (pid " + record.owner().pid() + ") was killed before it restored it");
            }
        }
        if (!left.isEmpty())
        {
            new ChangeRecord(record.owner(), left).write(file);
            return;
        }
        Files.deleteIfExists(file);
        try
        {
            Files.deleteIfExists(file.getParent());
        }
        catch (final DirectoryNotEmptyException ignore)
        {
            // Another process of the name has a record there.
        }
    }

    private InterfaceValues valuesOf(final String name)
    {
        return kernel.stream().filter(values -> values.has(name)).findFirst().orElse(null);
    }
}
