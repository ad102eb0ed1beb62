package org.fibnuma.ipnuma.memory;

import org.agrona.concurrent.AtomicBuffer;

import java.nio.charset.StandardCharsets;

/**
 * First memory page of a region's file, before the bytes of the region. Numbers are in the byte order that {@link
 * #BYTE_ORDER_OFFSET} shows. Written once before the file gets its name, except state, epoch and access.
 */
public final class RegionFileLayout
{
    /** "FNREGION" read as a little-endian number. */
    public static final long MAGIC = 0x4E4F_4947_4552_4E46L;

    /** Version of this layout. */
    public static final int VERSION = 1;

    /** Reads as 0x01020304 if reader and writer have the same byte order. */
    public static final int BYTE_ORDER = 0x0102_0304;

    /** 8 bytes: {@link #MAGIC}. */
    public static final int MAGIC_OFFSET = 0;
    /** 4 bytes: {@link #VERSION}. */
    public static final int VERSION_OFFSET = MAGIC_OFFSET + Long.BYTES;
    /** 4 bytes: {@link #BYTE_ORDER}. */
    public static final int BYTE_ORDER_OFFSET = VERSION_OFFSET + Integer.BYTES;
    /** 4 bytes: offset of the region in the file. */
    public static final int START_OFFSET = BYTE_ORDER_OFFSET + Integer.BYTES;
    /** 4 bytes, {@link RegionState#code}. Stored with release semantics, read with acquire semantics. */
    public static final int STATE_OFFSET = START_OFFSET + Integer.BYTES;
    /** 8 bytes: length of the region, without this page. */
    public static final int SIZE_OFFSET = STATE_OFFSET + Integer.BYTES;
    /** 4 bytes: epoch of the owner's start, unsigned. A later start has a greater epoch. */
    public static final int EPOCH_OFFSET = SIZE_OFFSET + Long.BYTES;
    /** 4 bytes: region id, 1 to 65,535. */
    public static final int ID_OFFSET = EPOCH_OFFSET + Integer.BYTES;
    /** 8 bytes: process id of the owner. */
    public static final int PID_OFFSET = ID_OFFSET + Integer.BYTES;
    /** 4 bytes: permitted access, a sum of write 1, read 2 and atomic 4. */
    public static final int ACCESS_OFFSET = PID_OFFSET + Long.BYTES;
    /** 4 bytes: length of the name. */
    public static final int NAME_LENGTH_OFFSET = ACCESS_OFFSET + Integer.BYTES;
    /** Name of the region in ASCII. */
    public static final int NAME_OFFSET = NAME_LENGTH_OFFSET + Integer.BYTES;

    public static final int MAX_NAME_LENGTH = 64;

    public static final int PAGE_LENGTH = 4096;

    private RegionFileLayout()
    {
    }

    static void write(final AtomicBuffer page, final RegionRequest request, final int epoch, final RegionState state)
    {
        final byte[] name = request.name().getBytes(StandardCharsets.US_ASCII);
        page.putInt(VERSION_OFFSET, VERSION);
        page.putInt(BYTE_ORDER_OFFSET, BYTE_ORDER);
        page.putInt(START_OFFSET, PAGE_LENGTH);
        page.putLong(SIZE_OFFSET, request.size());
        page.putInt(ID_OFFSET, request.id());
        page.putLong(PID_OFFSET, ProcessHandle.current().pid());
        page.putInt(ACCESS_OFFSET, request.access());
        page.putInt(NAME_LENGTH_OFFSET, name.length);
        page.putBytes(NAME_OFFSET, name);
        page.putInt(EPOCH_OFFSET, epoch);
        page.putIntRelease(STATE_OFFSET, state.code());
        page.putLongRelease(MAGIC_OFFSET, MAGIC);
    }

    /** Returns why this is not the first page of a file of that length, or null if it is. */
    static String problem(final AtomicBuffer page, final long fileLength)
    {
        if (page.getLongVolatile(MAGIC_OFFSET) != MAGIC)
        {
            return "it is not the file of a region";
        }
        if (page.getInt(VERSION_OFFSET) != VERSION || page.getInt(BYTE_ORDER_OFFSET) != BYTE_ORDER)
        {
            return "it is of another version or machine";
        }
        if (page.getInt(START_OFFSET) != PAGE_LENGTH || page.getLong(SIZE_OFFSET) != fileLength - PAGE_LENGTH)
        {
            return "it is " + fileLength + " bytes long, but its first page has another length";
        }
        if (RegionState.of(page.getIntVolatile(STATE_OFFSET)) == null)
        {
            return "its state is unknown";
        }
        return null;
    }

    static String name(final AtomicBuffer page)
    {
        final byte[] name = new byte[Math.max(0, Math.min(MAX_NAME_LENGTH, page.getInt(NAME_LENGTH_OFFSET)))];
        page.getBytes(NAME_OFFSET, name);
        return new String(name, StandardCharsets.US_ASCII);
    }
}
