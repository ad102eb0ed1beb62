package org.fibnuma.core.service.host;

import org.fibnuma.core.IoFailure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Record of the interface values that this process has changed and not yet restored. It is the file {@code PID.changes}
 * in the directory of the process's name, so that it survives a kill. Every change is recorded before it is made. Any
 * thread.
 */
public final class HostChanges implements AutoCloseable
{
    static final Path INTERFACES = Path.of("/sys/class/net");

    private final Path file;
    private final InterfaceValues sysfs;
    private final ProcessIdentity owner;
    private final List<InterfaceValue> values = new ArrayList<>();

    private HostChanges(final Path file, final Path interfaces, final ProcessIdentity owner)
    {
        this.file = file;
        this.sysfs = new SysfsValues(interfaces);
        this.owner = owner;
    }

    /** Returns changes without a record, for tools and tests: values are not restored if the process is killed. */
    public static HostChanges unrecorded()
    {
        return new HostChanges(null, INTERFACES, null);
    }

    /**
     * Creates an empty record in {@link RunDirectory#recordsOf}, for a router or endpoint whose name this process owns.
     *
     * @throws UncheckedIOException with one line for the user if the record cannot be written.
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
        return new UncheckedIOException("cannot write in " + directory + ", where changes of this host are recorded: " +
            IoFailure.reason(ex) + "; make it writable", ex);
    }

    /** Records that the caller will change a value in {@code /sys/class/net}; otherwise as the other method. */
    public Change expect(final String device, final int ifindex, final String name, final String after)
        throws IOException
    {
        return expect(sysfs, device, ifindex, name, after);
    }

    /**
     * Records that the caller will change a value of an interface in its network namespace.
     *
     * @param kernel  reads and writes the value; open until the change is closed.
     * @param device  name of the interface.
     * @param ifindex interface index.
     * @param name    of the value, which {@code kernel} has.
     * @param after   new value.
     * @return the change, not yet made; null if the namespace has no such interface.
     * @throws IOException if the value cannot be read or the record not written; the caller must not change the value.
     */
    public synchronized Change expect(
        final InterfaceValues kernel, final String device, final int ifindex, final String name, final String after)
        throws IOException
    {
        final InterfaceValue value = InterfaceValue.read(kernel, device, ifindex, name, after);
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
            return new Change(kernel, value);
        }
        finally
        {
            if (!written)
            {
                values.remove(value);
            }
        }
    }

    /** Removes the record, and its directory if that is empty. Values that are still changed will not be restored. */
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
            // Another process of the name has left a record that is valid in its own network namespace only.
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

    private synchronized void end(final InterfaceValues kernel, final InterfaceValue value)
    {
        try
        {
            // The value is restored before the record: if this process is killed in between, the next start restores
            // it.
            value.putBack(kernel);
            values.remove(value);
            write();
        }
        catch (final IOException ignore)
        {
            // The interface is being removed. If the record stays, the next start tries again.
        }
    }

    /** A change of one value of an interface, from its entry in the record until the value is restored. */
    public final class Change implements AutoCloseable
    {
        private final InterfaceValues kernel;
        private final InterfaceValue value;
        private boolean closed;

        private Change(final InterfaceValues kernel, final InterfaceValue value)
        {
            this.kernel = kernel;
            this.value = value;
        }

        /** Sets the new value. */
        public void make() throws IOException
        {
            final String current = kernel.nameOf(value.ifindex());
            kernel.write(current == null ? value.device() : current, value.name(), value.after());
        }

        /** Returns the value before the change, as the kernel writes it. */
        public String before()
        {
            return value.before();
        }

        /** Restores the value, unless another process has changed it since, and removes it from the record. */
        @Override
        public void close()
        {
            if (!closed)
            {
                closed = true;
                end(kernel, value);
            }
        }
    }
}
