package org.fibnuma.ipnuma.client.host;

import org.agrona.concurrent.AtomicBuffer;
import org.fibnuma.ipnuma.client.ClientLayout;
import org.fibnuma.ipnuma.memory.RegionFile;
import org.fibnuma.ipnuma.memory.RegionRequest;
import org.fibnuma.ipnuma.memory.RegionState;

import java.nio.charset.StandardCharsets;

/** List of the regions that clients can map, in the file of the clients. For the endpoint's thread. */
final class RegionList
{
    /** Owner of the configured regions. */
    static final int ENDPOINT = -1;

    private final AtomicBuffer buffer;
    /** By entry, null for none. These are authoritative, because clients may overwrite the list itself. */
    private final RegionFile[] files;
    private final int[] owners;

    RegionList(final AtomicBuffer buffer, final int capacity)
    {
        this.buffer = buffer;
        this.files = new RegionFile[capacity];
        this.owners = new int[capacity];
    }

    /** Adds a region; returns false if the list is full. */
    boolean add(final RegionFile file, final int owner)
    {
        final int number = free();
        if (number >= 0)
        {
            files[number] = file;
            owners[number] = owner;
            write(number);
        }
        return number >= 0;
    }

    /** Rewrites all entries after the file of the clients was restored with zeros. */
    void write()
    {
        for (int i = 0; i < files.length; i++)
        {
            if (files[i] != null)
            {
                write(i);
            }
        }
    }

    private void write(final int number)
    {
        final RegionFile file = files[number];
        final RegionRequest region = file.request();
        final int entry = entry(number);
        buffer.putInt(entry + ClientLayout.ENTRY_ID_OFFSET, region.id());
        buffer.putLong(entry + ClientLayout.ENTRY_SIZE_OFFSET, region.size());
        buffer.putInt(entry + ClientLayout.ENTRY_ACCESS_OFFSET, region.access());
        buffer.putInt(entry + ClientLayout.ENTRY_EPOCH_OFFSET, file.epoch());
        buffer.putInt(entry + ClientLayout.ENTRY_OWNER_OFFSET, owners[number]);
        putText(entry + ClientLayout.ENTRY_NAME_OFFSET, region.name());
        putText(entry + ClientLayout.ENTRY_PATH_OFFSET, file.mapping().file().toString());
        buffer.putIntRelease(entry + ClientLayout.ENTRY_STATE_OFFSET,
            (file.isRecovered() ? RegionState.RECOVERED : RegionState.OPEN).code());
    }

    /** Returns whether there is a free entry and the path fits into it. */
    boolean hasRoom(final String path)
    {
        return free() >= 0 && path.getBytes(StandardCharsets.UTF_8).length < ClientLayout.ENTRY_PATH_LENGTH;
    }

    void revoke(final int regionId)
    {
        for (int i = 0; i < files.length; i++)
        {
            if (files[i] != null && files[i].request().id() == regionId)
            {
                files[i] = null;
                buffer.putIntRelease(entry(i) + ClientLayout.ENTRY_STATE_OFFSET, RegionState.REVOKED.code());
            }
        }
    }

    private void putText(final int offset, final String text)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        buffer.putBytes(offset, bytes);
        buffer.putByte(offset + bytes.length, (byte)0);
    }

    private int free()
    {
        for (int i = 0; i < files.length; i++)
        {
            if (files[i] == null)
            {
                return i;
            }
        }
        return -1;
    }

    private static int entry(final int i)
    {
        return ClientLayout.PAGE_LENGTH + i * ClientLayout.ENTRY_LENGTH;
    }
}
