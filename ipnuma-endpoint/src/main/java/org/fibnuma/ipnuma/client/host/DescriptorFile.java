package org.fibnuma.ipnuma.client.host;

import org.agrona.CloseHelper;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.core.IoFailure;
import org.fibnuma.core.UserException;
import org.fibnuma.core.memory.SealedFile;
import org.fibnuma.core.memory.SealedFileSource;
import org.fibnuma.core.memory.SharedFiles;
import org.fibnuma.ipnuma.client.ClientLayout;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * File of the clients, written by the endpoint. It is complete when it gets its name. If the kernel supports sealed
 * files, the name is a symbolic link to one, and no client can change its length. Otherwise it is an ordinary file
 * whose length is watched.
 */
final class DescriptorFile implements AutoCloseable
{
    private static final String MODE = "rw-------";

    private final Path file;
    private final AtomicBuffer buffer;
    private final ClientSettings settings;
    /** Null for an ordinary file. */
    private final SealedFile sealed;
    /** Null for a sealed file. */
    private SharedFiles.Watch watch;

    private DescriptorFile(
        final Path file, final AtomicBuffer buffer, final ClientSettings settings, final SealedFile sealed)
    {
        this.file = file;
        this.buffer = buffer;
        this.settings = settings;
        this.sealed = sealed;
    }

    static DescriptorFile create(final ClientSettings settings, final long nowNs)
    {
        final Path file = ClientLayout.file(settings.endpointDirectory()).toAbsolutePath().normalize();
        final Path unfinished = file.resolveSibling("." + file.getFileName() + ".new");
        try
        {
            retire(file);
            Files.deleteIfExists(unfinished);
            final int length = length(settings);
            final SealedFile sealed = SealedFileSource.load().create("fibnuma-clients", length);
            if (sealed == null)
            {
                writeZeros(unfinished, length);
            }
            else
            {
                Files.createSymbolicLink(unfinished, sealed.path());
            }
            final AtomicBuffer buffer = map(unfinished, length);
            writePage(buffer, settings, nowNs);
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
            return new DescriptorFile(file, buffer, settings, sealed);
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot create " + file + ": " + IoFailure.reason(ex), ex);
        }
    }

    /** Marks the file of a dead endpoint as closed, for its clients, before the file is replaced. */
    private static void retire(final Path file) throws IOException
    {
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.size(file) >= ClientLayout.PAGE_LENGTH)
        {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE))
            {
                // Written and not mapped, so that a concurrent truncation causes no fault.
                channel.write(ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder())
                    .putInt(0, ClientLayout.ENDPOINT_CLOSED), ClientLayout.STATE_OFFSET);
            }
        }
    }

    private static int length(final ClientSettings settings)
    {
        final long length = ClientLayout.slotsOffset(settings.regionCapacity()) +
            (long)settings.slots() * ClientLayout.slotStride(settings.ringCapacity());
        if (length > Integer.MAX_VALUE)
        {
            throw new UserException(settings.slots() + " clients with rings of " + settings.ringCapacity() +
                " bytes need over 2 GiB");
        }
        return (int)length;
    }

    private static void writeZeros(final Path file, final int length) throws IOException
    {
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(MODE)));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
        {
            SharedFiles.writeZeros(channel, length);
        }
    }

    private static AtomicBuffer map(final Path file, final int length) throws IOException
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            return new UnsafeBuffer(channel.map(FileChannel.MapMode.READ_WRITE, 0, length));
        }
    }

    /** Watches the length of a file that is not sealed. Calls an action after length and first page were restored. */
    void watch(final Runnable onRestored)
    {
        if (sealed != null)
        {
            return;
        }
        try
        {
            watch = SharedFiles.watch(file, buffer.capacity(), () ->
            {
                writePage(buffer, settings, System.nanoTime());
                onRestored.run();
            });
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot watch " + file + ": " + IoFailure.reason(ex), ex);
        }
    }

    private static void writePage(final AtomicBuffer page, final ClientSettings settings, final long nowNs)
    {
        page.putInt(ClientLayout.VERSION_OFFSET, ClientLayout.VERSION);
        page.putInt(ClientLayout.BYTE_ORDER_OFFSET, ClientLayout.BYTE_ORDER);
        page.putLong(ClientLayout.PID_OFFSET, ProcessHandle.current().pid());
        page.putInt(ClientLayout.EPOCH_OFFSET, settings.epoch());
        page.putLong(ClientLayout.TIMEOUT_OFFSET, settings.timeoutNs());
        page.putInt(ClientLayout.REGIONS_OFFSET, ClientLayout.PAGE_LENGTH);
        page.putInt(ClientLayout.REGION_COUNT_OFFSET, settings.regionCapacity());
        page.putInt(ClientLayout.REGION_STRIDE_OFFSET, ClientLayout.ENTRY_LENGTH);
        page.putInt(ClientLayout.SLOTS_OFFSET, ClientLayout.slotsOffset(settings.regionCapacity()));
        page.putInt(ClientLayout.SLOT_COUNT_OFFSET, settings.slots());
        page.putInt(ClientLayout.SLOT_STRIDE_OFFSET, ClientLayout.slotStride(settings.ringCapacity()));
        page.putInt(ClientLayout.SEND_RING_OFFSET, ClientLayout.SLOT_RINGS_OFFSET);
        page.putInt(ClientLayout.ANSWER_RING_OFFSET,
            ClientLayout.SLOT_RINGS_OFFSET + ClientLayout.ringLength(settings.ringCapacity()));
        page.putInt(ClientLayout.RING_CAPACITY_OFFSET, settings.ringCapacity());
        page.putLong(ClientLayout.HEARTBEAT_OFFSET, nowNs);
        page.putInt(ClientLayout.STATE_OFFSET, ClientLayout.ENDPOINT_OPEN);
        page.putLongRelease(ClientLayout.MAGIC_OFFSET, ClientLayout.MAGIC);
    }

    /** Returns the mapping, which is valid while the buffer is referenced. */
    AtomicBuffer buffer()
    {
        return buffer;
    }

    void heartbeat(final long nowNs)
    {
        buffer.putLongRelease(ClientLayout.HEARTBEAT_OFFSET, nowNs);
    }

    /** Marks the endpoint as ended and removes the file. The garbage collector unmaps it. */
    @Override
    public void close()
    {
        buffer.putIntRelease(ClientLayout.STATE_OFFSET, ClientLayout.ENDPOINT_CLOSED);
        CloseHelper.closeAll(watch, sealed);
        try
        {
            Files.deleteIfExists(file);
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot remove " + file + ": " + IoFailure.reason(ex), ex);
        }
    }
}
