package org.fibnuma.ipnuma.client;

import org.agrona.BitUtil;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

import java.nio.file.Path;

/**
 * The layout of an endpoint's file {@code clients}, which docs/ipnuma-protocol.md describes for other languages.
 * Numbers are in native byte order. Times are those of {@code CLOCK_MONOTONIC} in nanoseconds. The file contains the
 * endpoint's header page, then the list of regions, then the slots of clients.
 */
public final class ClientLayout
{
    /** "FNCLIENT" read as a little-endian number. */
    public static final long MAGIC = 0x544E_4549_4C43_4E46L;
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
    /** 8 bytes: process id of the endpoint. */
    public static final int PID_OFFSET = BYTE_ORDER_OFFSET + Integer.BYTES;
    /** 4 bytes: epoch of this start of the endpoint, unsigned. */
    public static final int EPOCH_OFFSET = PID_OFFSET + Long.BYTES;
    /** 4 bytes: {@link #ENDPOINT_OPEN} or {@link #ENDPOINT_CLOSED}. */
    public static final int STATE_OFFSET = EPOCH_OFFSET + Integer.BYTES;
    /** 8 bytes: nanoseconds without a heartbeat after which client and endpoint count as dead. */
    public static final int TIMEOUT_OFFSET = STATE_OFFSET + Integer.BYTES;
    /** 4 bytes: offset of the list of regions in the file. */
    public static final int REGIONS_OFFSET = TIMEOUT_OFFSET + Long.BYTES;
    /** 4 bytes: number of entries of the list, including unused ones. */
    public static final int REGION_COUNT_OFFSET = REGIONS_OFFSET + Integer.BYTES;
    /** 4 bytes: length of an entry. */
    public static final int REGION_STRIDE_OFFSET = REGION_COUNT_OFFSET + Integer.BYTES;
    /** 4 bytes: offset of the slots in the file. */
    public static final int SLOTS_OFFSET = REGION_STRIDE_OFFSET + Integer.BYTES;
    /** 4 bytes: number of slots. */
    public static final int SLOT_COUNT_OFFSET = SLOTS_OFFSET + Integer.BYTES;
    /** 4 bytes: length of a slot. */
    public static final int SLOT_STRIDE_OFFSET = SLOT_COUNT_OFFSET + Integer.BYTES;
    /** 4 bytes: offset of the send ring in a slot. */
    public static final int SEND_RING_OFFSET = SLOT_STRIDE_OFFSET + Integer.BYTES;
    /** 4 bytes: offset of the answer ring in a slot. */
    public static final int ANSWER_RING_OFFSET = SEND_RING_OFFSET + Integer.BYTES;
    /** 4 bytes: capacity of each ring in bytes, without its trailer; a power of two. */
    public static final int RING_CAPACITY_OFFSET = ANSWER_RING_OFFSET + Integer.BYTES;
    /** 8 bytes on a separate cache line: latest heartbeat of the endpoint. */
    public static final int HEARTBEAT_OFFSET = 128;
    /** Length of the endpoint's header page in bytes, one memory page. */
    public static final int PAGE_LENGTH = 4096;

    /** The endpoint serves clients. */
    public static final int ENDPOINT_OPEN = 1;
    /** The endpoint has ended or was replaced: connect again. */
    public static final int ENDPOINT_CLOSED = 2;

    /** 4 bytes of an entry: 0 unused, else the state of the region ({@code RegionState}); stored last. */
    public static final int ENTRY_STATE_OFFSET = 0;
    /** 4 bytes: region id. */
    public static final int ENTRY_ID_OFFSET = ENTRY_STATE_OFFSET + Integer.BYTES;
    /** 8 bytes: size of the region. */
    public static final int ENTRY_SIZE_OFFSET = ENTRY_ID_OFFSET + Integer.BYTES;
    /** 4 bytes: permitted access, a sum of write 1, read 2 and atomic 4. */
    public static final int ENTRY_ACCESS_OFFSET = ENTRY_SIZE_OFFSET + Long.BYTES;
    /** 4 bytes: epoch of the region. */
    public static final int ENTRY_EPOCH_OFFSET = ENTRY_ACCESS_OFFSET + Integer.BYTES;
    /** 4 bytes: index of the slot of the client that owns the region, -1 if the endpoint owns it. */
    public static final int ENTRY_OWNER_OFFSET = ENTRY_EPOCH_OFFSET + Integer.BYTES;
    /** Name of the region: up to 64 bytes of ASCII and a zero. */
    public static final int ENTRY_NAME_OFFSET = 32;
    /** Absolute path of the region's file: up to 151 bytes and a zero. */
    public static final int ENTRY_PATH_OFFSET = ENTRY_NAME_OFFSET + 72;
    /** Maximum length of a path in bytes, with its zero. */
    public static final int ENTRY_PATH_LENGTH = 152;
    /** Distance of two entries in bytes. */
    public static final int ENTRY_LENGTH = 256;

    /** 4 bytes of a slot: its state, such as {@link #SLOT_FREE}. */
    public static final int SLOT_STATE_OFFSET = 0;
    /** 4 bytes: number of clients that have released this slot. */
    public static final int SLOT_GENERATION_OFFSET = SLOT_STATE_OFFSET + Integer.BYTES;
    /** 8 bytes: process id of the client. */
    public static final int SLOT_PID_OFFSET = SLOT_GENERATION_OFFSET + Integer.BYTES;
    /** 8 bytes on a separate cache line: latest heartbeat of the client. */
    public static final int SLOT_HEARTBEAT_OFFSET = 128;
    /** 8 bytes: number of events that were lost because the answer ring was full. */
    public static final int SLOT_LOST_EVENTS_OFFSET = 256;
    /** Offset of the send ring in a slot. */
    public static final int SLOT_RINGS_OFFSET = 512;

    /** Any client may claim the slot by a compare-and-swap to {@link #SLOT_CLAIMED}. */
    public static final int SLOT_FREE = 0;
    /** A client is writing its process id and its first heartbeat to the slot. */
    public static final int SLOT_CLAIMED = 1;
    /** The client uses the rings. */
    public static final int SLOT_ACTIVE = 2;
    /** The client has ended and no longer accesses the slot. */
    public static final int SLOT_CLOSING = 3;
    /**
     * The endpoint has ended the client. The slot becomes free when the client's process ends or marks it as closing.
     */
    public static final int SLOT_DEAD = 4;

    private static final String FILE_NAME = "clients";

    private ClientLayout()
    {
    }

    /** Returns the path of the file in an endpoint's directory, which is usually {@code /dev/shm/fibnuma-NAME}. */
    public static Path file(final Path endpointDirectory)
    {
        return endpointDirectory.resolve(FILE_NAME);
    }

    /** Returns the length in bytes of a ring with its trailer. The capacity is a power of two. */
    public static int ringLength(final int ringCapacity)
    {
        return ringCapacity + RingBufferDescriptor.TRAILER_LENGTH;
    }

    /**
     * Returns the length of a slot in bytes, a multiple of the memory page size. The capacity of its rings is a power
     * of two.
     */
    public static int slotStride(final int ringCapacity)
    {
        return BitUtil.align(SLOT_RINGS_OFFSET + 2 * ringLength(ringCapacity), PAGE_LENGTH);
    }

    /**
     * Returns the offset of the slots in the file, a multiple of the memory page size, for this number of regions in
     * the list.
     */
    public static int slotsOffset(final int regionCount)
    {
        return PAGE_LENGTH + BitUtil.align(regionCount * ENTRY_LENGTH, PAGE_LENGTH);
    }
}
