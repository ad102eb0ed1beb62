package org.fibnuma.core.host;

import org.fibnuma.core.IoFailure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The values of interfaces that this process has changed and has not put back yet, kept in a file that outlives it:
 * {@code PID.changes} in a directory of the process's name. Each is written down before it is changed. Any thread.
 */
public final class HostChanges implements AutoCloseable
{
    static final Path INTERFACES = Path.of("/sys/class/net");

    private final Path file;
    private final Path interfaces;
    private final ProcessIdentity owner;
    private final List<InterfaceValue> values = new ArrayList<>();

    private HostChanges(final Path file, final Path interfaces, final ProcessIdentity owner)
    {
        this.file = file;
        this.interfaces = interfaces;
        this.owner = owner;
    }

    /**
     * Changes without a record: they are put back by whoever makes them, and not at all where the process is killed.
     *
     * @return for tools and tests.
     */
    public static HostChanges unrecorded()
    {
        return new HostChanges(null, INTERFACES, null);
    }

    /**
     * Begins a record, empty but for who writes it, in {@link RunDirectory#recordsOf}.
     *
     * @param name of the router or endpoint, which this process owns.
     * @return the record.
     * @throws UncheckedIOException with one line for the user where it cannot be written.
     */
    public static HostChanges open(final String name)
    {
        final Path directory = RunDirectory.recordsOf(name);
        try
        {
            RunDirectory.make(directory.getParent());
        }
        catch (final IOException ex)
        {
            throw notWritable(directory, ex);
        }
        return open(directory, INTERFACES);
    }

    static HostChanges open(final Path directory, final Path interfaces)
    {
        try
        {
            Files.createDirectories(directory);
            final ProcessIdentity owner = ProcessIdentity.own();
            final HostChanges changes =
                new HostChanges(directory.resolve(owner.pid() + ChangeRecord.SUFFIX), interfaces, owner);
            changes.write();
            return changes;
        }
        catch (final IOException ex)
        {
            throw notWritable(directory, ex);
        }
    }

    private static UncheckedIOException notWritable(final Path directory, final IOException ex)
    {
        return new UncheckedIOException("cannot write in " + directory + " what is changed on this host: " +
            IoFailure.reason(ex) + "; make it writable", ex);
    }

    /**
     * Writes down that the caller is about to change a value of an interface of its network namespace.
     *
     * @param device  name of the interface.
     * @param ifindex its index.
     * @param name    of the file in the interface's directory of {@code /sys/class/net}.
     * @param after   what it will be.
     * @return what puts the value back; null where {@code /sys} does not show that interface.
     * @throws IOException where the value cannot be read or the record not written: nothing may be changed then.
     */
    public synchronized Change expect(final String device, final int ifindex, final String name, final String after)
        throws IOException
    {
        final InterfaceValue value = InterfaceValue.read(interfaces, device, ifindex, name, after);
        if (value == null)
        {
            return null;
        }
        values.add(value);
        boolean written = false;
        try
        {
            write();
            written = true;
            return new Change(value);
        }
        finally
        {
            if (!written)
            {
                values.remove(value);
            }
        }
    }

    /** Removes the record, and its directory where that is empty. What is not put back yet is not any more. */
    @Override
    public synchronized void close()
    {
        if (file == null)
        {
            return;
        }
        try
        {
            Files.deleteIfExists(file);
            Files.deleteIfExists(file.getParent());
        }
        catch (final DirectoryNotEmptyException ignore)
        {
            // Another process of the name has left a record that only its own network namespace can use.
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot remove " + file + ": " + IoFailure.reason(ex), ex);
        }
    }

    private void write() throws IOException
    {
        if (file != null)
        {
            new ChangeRecord(owner, values).write(file);
        }
    }

    private synchronized void end(final InterfaceValue value)
    {
        try
        {
            // Still written down while it is put back: a kill in between is mended by the next start.
            value.putBack(interfaces);
            values.remove(value);
            write();
        }
        catch (final IOException ignore)
        {
            // The interface is going; the next start looks again where the record stays.
        }
    }

    /** A value that is changed. */
    public final class Change implements AutoCloseable
    {
        private final InterfaceValue value;
        private boolean closed;

        private Change(final InterfaceValue value)
        {
            this.value = value;
        }

        /**
         * Makes the change.
         *
         * @throws IOException where the kernel refuses.
         */
        public void make() throws IOException
        {
            Files.writeString(interfaces.resolve(value.device()).resolve(value.file()), value.after());
        }

        /**
         * What the value was.
         *
         * @return as the kernel writes it.
         */
        public String before()
        {
            return value.before();
        }

        /** Puts the value back, unless somebody else has changed it since, and takes it out of the record. */
        @Override
        public void close()
        {
            if (!closed)
            {
                closed = true;
                end(value);
            }
        }
    }
}
