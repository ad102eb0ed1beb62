package org.fibnuma.ipnuma.client;

import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.core.IoFailure;
import org.fibnuma.core.UserException;
import org.fibnuma.ipnuma.memory.RegionState;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The file {@code clients} of a running endpoint, mapped by a client. The mapping exists as long as the buffer. */
final class ClientFile
{
    private final Path file;
    private final AtomicBuffer buffer;

    private ClientFile(final Path file, final AtomicBuffer buffer)
    {
        this.file = file;
        this.buffer = buffer;
    }

    static ClientFile open(final Path endpointDirectory)
    {
        final Path file = ClientLayout.file(endpointDirectory);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            if (channel.size() < ClientLayout.PAGE_LENGTH || channel.size() > Integer.MAX_VALUE)
            {
                throw new UserException(file + " is not the file of an endpoint");
            }
            final AtomicBuffer buffer =
                new UnsafeBuffer(channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size()));
            validate(file, buffer);
            return new ClientFile(file, buffer);
        }
        catch (final NoSuchFileException ex)
        {
            if (Files.isSymbolicLink(file))
            {
                throw new EndpointLostException(file + ": the endpoint has died; start it again");
            }
            throw new EndpointLostException("no endpoint in " + endpointDirectory + "; start it, or check the name");
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot open " + file + ": " + IoFailure.reason(ex), ex);
        }
    }

    private static void validate(final Path file, final AtomicBuffer buffer)
    {
        if (buffer.getLongVolatile(ClientLayout.MAGIC_OFFSET) != ClientLayout.MAGIC ||
            buffer.getInt(ClientLayout.BYTE_ORDER_OFFSET) != ClientLayout.BYTE_ORDER)
        {
            throw new UserException(file + " is not the file of an endpoint");
        }
        if (buffer.getInt(ClientLayout.VERSION_OFFSET) != ClientLayout.VERSION)
        {
            throw new UserException(file + " has layout " + buffer.getInt(ClientLayout.VERSION_OFFSET) +
                ", this client needs " + ClientLayout.VERSION);
        }
        final long end = buffer.getInt(ClientLayout.SLOTS_OFFSET) +
            (long)buffer.getInt(ClientLayout.SLOT_COUNT_OFFSET) * buffer.getInt(ClientLayout.SLOT_STRIDE_OFFSET);
        if (end != buffer.capacity())
        {
            throw new UserException(file + " is " + buffer.capacity() + " bytes long, but its header has " + end);
        }
    }

    AtomicBuffer buffer()
    {
        return buffer;
    }

    Path path()
    {
        return file;
    }

    long timeoutNs()
    {
        return buffer.getLong(ClientLayout.TIMEOUT_OFFSET);
    }

    /** Returns the reason why the endpoint is lost, or null while it runs. */
    String lost()
    {
        final long pid = buffer.getLong(ClientLayout.PID_OFFSET);
        if (buffer.getIntVolatile(ClientLayout.STATE_OFFSET) != ClientLayout.ENDPOINT_OPEN)
        {
            return "endpoint (pid " + pid + ") has ended; connect again when it runs";
        }
        final long silentNs = System.nanoTime() - buffer.getLongVolatile(ClientLayout.HEARTBEAT_OFFSET);
        if (silentNs > timeoutNs())
        {
            return "endpoint (pid " + pid + ") has sent no heartbeat for " + silentNs / 1_000_000 +
                " ms; start it again and connect again";
        }
        return null;
    }

    /** Claims a free slot for this process and returns its offset. */
    int claimSlot()
    {
        final int count = buffer.getInt(ClientLayout.SLOT_COUNT_OFFSET);
        for (int i = 0; i < count; i++)
        {
            final int slot =
                buffer.getInt(ClientLayout.SLOTS_OFFSET) + i * buffer.getInt(ClientLayout.SLOT_STRIDE_OFFSET);
            if (buffer.compareAndSetInt(
                slot + ClientLayout.SLOT_STATE_OFFSET, ClientLayout.SLOT_FREE, ClientLayout.SLOT_CLAIMED))
            {
                buffer.putLong(slot + ClientLayout.SLOT_PID_OFFSET, ProcessHandle.current().pid());
                buffer.putLongRelease(slot + ClientLayout.SLOT_HEARTBEAT_OFFSET, System.nanoTime());
                buffer.putIntRelease(slot + ClientLayout.SLOT_STATE_OFFSET, ClientLayout.SLOT_ACTIVE);
                return slot;
            }
        }
        throw new UserException(file + ": all " + count + " slots for clients are in use");
    }

    /** Returns the file of a live region by name, or null. */
    Path regionFile(final String name)
    {
        final int count = buffer.getInt(ClientLayout.REGION_COUNT_OFFSET);
        for (int i = 0; i < count; i++)
        {
            final int entry =
                buffer.getInt(ClientLayout.REGIONS_OFFSET) + i * buffer.getInt(ClientLayout.REGION_STRIDE_OFFSET);
            final RegionState state =
                RegionState.of(buffer.getIntVolatile(entry + ClientLayout.ENTRY_STATE_OFFSET));
            if (state != null && state.isLive() && name.equals(text(entry + ClientLayout.ENTRY_NAME_OFFSET)))
            {
                return Path.of(text(entry + ClientLayout.ENTRY_PATH_OFFSET));
            }
        }
        return null;
    }

    private String text(final int offset)
    {
        final byte[] bytes = new byte[ClientLayout.ENTRY_PATH_LENGTH];
        int length = 0;
        while (length < bytes.length && buffer.getByte(offset + length) != 0)
        {
            bytes[length] = buffer.getByte(offset + length);
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
