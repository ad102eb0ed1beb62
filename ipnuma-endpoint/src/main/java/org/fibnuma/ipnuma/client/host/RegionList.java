package org.fibnuma.ipnuma.client.host;

import org.agrona.concurrent.AtomicBuffer;
import org.fibnuma.ipnuma.client.ClientLayout;
import org.fibnuma.ipnuma.memory.RegionFile;
import org.fibnuma.ipnuma.memory.RegionMapping;
import org.fibnuma.ipnuma.memory.RegionState;

import java.nio.charset.StandardCharsets;

/** The regions that clients can map, as the file of the clients lists them. Endpoint's thread. */
final class RegionList
{
    /** Owner of the regions that the configuration asks for. */
    static final int ENDPOINT = -1;

    private static final int UNUSED = 0;

    private final AtomicBuffer buffer;
    private final int capacity;

    RegionList(final AtomicBuffer buffer, final int capacity)
    {
        this.buffer = buffer;
        this.capacity = capacity;
    }

    /** False where the list is full. */
    boolean add(final RegionFile file, final int owner)
    {
        final int entry = free();
        if (entry < 0)
        {
            return false;
        }
        final RegionMapping region = file.mapping();
        buffer.putInt(entry + ClientLayout.ENTRY_ID_OFFSET, region.id());
        buffer.putLong(entry + ClientLayout.ENTRY_SIZE_OFFSET, region.size());
        buffer.putInt(entry + ClientLayout.ENTRY_ACCESS_OFFSET, region.access());
        buffer.putInt(entry + ClientLayout.ENTRY_EPOCH_OFFSET, region.epoch());
        buffer.putInt(entry + ClientLayout.ENTRY_OWNER_OFFSET, owner);
        putText(entry + ClientLayout.ENTRY_NAME_OFFSET, region.name());
        putText(entry + ClientLayout.ENTRY_PATH_OFFSET, region.file().toString());
        buffer.putIntRelease(entry + ClientLayout.ENTRY_STATE_OFFSET, region.state().code());
        return true;
    }

    /** Whether an entry is left and the path fits one. */
    boolean hasRoom(final String path)
    {
        return free() >= 0 && path.getBytes(StandardCharsets.UTF_8).length < ClientLayout.ENTRY_PATH_LENGTH;
    }

    void revoke(final int regionId)
    {
        for (int i = 0; i < capacity; i++)
        {
            final int entry = entry(i);
            final RegionState state = RegionState.of(buffer.getInt(entry + ClientLayout.ENTRY_STATE_OFFSET));
            if (state != null && state.isLive() && buffer.getInt(entry + ClientLayout.ENTRY_ID_OFFSET) == regionId)
            {
                buffer.putIntRelease(entry + ClientLayout.ENTRY_STATE_OFFSET, RegionState.REVOKED.code());
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
        for (int i = 0; i < capacity; i++)
        {
            final int state = buffer.getInt(entry(i) + ClientLayout.ENTRY_STATE_OFFSET);
            if (state == UNUSED || state == RegionState.REVOKED.code())
            {
                return entry(i);
            }
        }
        return -1;
    }

    private static int entry(final int i)
    {
        return ClientLayout.PAGE_LENGTH + i * ClientLayout.ENTRY_LENGTH;
    }
}
