package org.fibnuma.core.host;

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
import java.util.function.Consumer;

/**
 * Puts back what processes have changed that were killed. What cannot be put back from here, as an interface in another
 * network namespace, stays in its record for a start that can.
 */
public final class LeftChanges
{
    private static final String LOCK = "changes.lock";

    private final Path run;
    private final Path interfaces;
    private final Consumer<String> log;

    LeftChanges(final Path run, final Path interfaces, final Consumer<String> log)
    {
        this.run = run;
        this.interfaces = interfaces;
        this.log = log;
    }

    /**
     * Looks at every record; one process at a time does.
     *
     * @param run      the directory of the names, such as {@code /run/fibnuma}; need not be there.
     * @param log      takes a line for each value that is put back and for each record that cannot be read.
     * @param leftName takes the name of each process that was killed, once its values are put back.
     * @throws IOException where the directory cannot be read or written.
     */
    public static void putBack(final Path run, final Consumer<String> log, final Consumer<String> leftName)
        throws IOException
    {
        new LeftChanges(run, HostChanges.INTERFACES, log).putBack(leftName);
    }

    void putBack(final Consumer<String> leftName) throws IOException
    {
        if (!Files.isDirectory(run, LinkOption.NOFOLLOW_LINKS))
        {
            return;
        }
        // A lock of the file does not exclude another thread of this process.
        synchronized (LeftChanges.class)
        {
            try (FileChannel channel = FileChannel.open(
                run.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS))
            {
                // Ends with the channel.
                channel.lock();
                for (final Path file : records())
                {
                    putBackOne(file, leftName);
                }
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

    private void putBackOne(final Path file, final Consumer<String> leftName)
    {
        try
        {
            final ChangeRecord record = ChangeRecord.read(file);
            if (record.owner().isDead())
            {
                putBack(file, record);
                leftName.accept(file.getParent().getFileName().toString());
            }
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            log.accept(file + " cannot be used to put back what a killed process has changed: " + ex.getMessage() +
                "; remove it");
        }
    }

    private void putBack(final Path file, final ChangeRecord record) throws IOException
    {
        final List<InterfaceValue> left = new ArrayList<>();
        final String name = file.getParent().getFileName().toString();
        // The last change first: what was changed twice is what it was before the first.
        for (int i = record.values().size() - 1; i >= 0; i--)
        {
            final InterfaceValue value = record.values().get(i);
            if (!value.isReachable())
            {
                left.add(0, value);
            }
            else if (value.putBack(interfaces))
            {
                log.accept("interface " + value.device() + ": " + value.file() + " is " + value.before() +
                    " again: \"" + name + "\" (pid " + record.owner().pid() + ") was killed before it put it back");
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
}
