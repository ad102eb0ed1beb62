package org.fibnuma.ipnuma.window;

import org.agrona.collections.Long2LongHashMap;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.ipnuma.channel.PeerChannel;
import org.fibnuma.ipnuma.table.PageMap;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RemoteAddress;

import java.util.Objects;
import java.util.function.IntFunction;

/**
 * Maps memory pages of a window to pages of peers' regions (thesis, section 3.3.1). A store into the window becomes a
 * write into the mapped page. Stores into one cache line of 64 bytes are gathered, as in the write-combining mode of
 * the paper. They become one write when the line is full, before a store into another line or an ordered store, or by
 * {@link #flush}. In {@link StoreOrder#IN_ORDER} the writes to one peer take effect in the order of the lines.
 * <p>
 * A method that returns false did not store or request anything, because the channel did not accept it, as {@link
 * PeerChannel} describes. The caller calls the method again after a duty cycle. Earlier stores are not lost: each was
 * accepted by the channel or stays pending in the line.
 * <p>
 * Offsets are bytes from the start of the window. Numbers are stored in native byte order. The window has no other
 * memory than the line: only {@link #read} loads from it. For the endpoint's thread; only {@link #map} allocates.
 */
public final class PageWindow implements AutoCloseable
{
    /**
     * Length of a cache line in bytes, as processors combine stores. It is also the longest write of a gathered line.
     */
    public static final int LINE_LENGTH = 64;

    private static final int LINE_SHIFT = 6;
    private static final int LINE_MASK = LINE_LENGTH - 1;
    private static final int PAGE_MASK = PageMap.PAGE_SIZE - 1;

    private final PageMap map;
    private final IntFunction<PeerChannel> channels;
    private final Long2LongHashMap keys = new Long2LongHashMap(Region.NO_KEY);
    private final MemoryRegion memory = MemoryRegion.ofBytes(LINE_LENGTH);
    private final long line = memory.address();
    private final boolean ordered;

    /** Offset in the window of the bytes that are pending in the line. The next field has their length. */
    private long start;
    private int length;

    /**
     * Page of the last store. The next fields have its entry in the map, the key of its region and the channel to its
     * peer.
     */
    private long page = -1;
    private long entry;
    private long key;
    private PeerChannel channel;

    /**
     * Creates a window with unmapped pages.
     *
     * @param bytes    size of the window, a multiple of 4,096.
     * @param channels returns the channel to a peer by its PC ID, or null.
     * @param order    of the writes.
     */
    public PageWindow(final int bytes, final IntFunction<PeerChannel> channels, final StoreOrder order)
    {
        if (bytes < PageMap.PAGE_SIZE || (bytes & PAGE_MASK) != 0)
        {
            throw new IllegalArgumentException("a window has a multiple of " + PageMap.PAGE_SIZE + " bytes: " + bytes);
        }
        this.map = new PageMap(bytes >>> PageMap.PAGE_SHIFT);
        this.channels = channels;
        this.ordered = order == StoreOrder.IN_ORDER;
    }

    /**
     * Maps pages to a region of a peer.
     *
     * @param offset        of the first page.
     * @param bytes         a multiple of 4,096.
     * @param pcId          of the peer.
     * @param remoteAddress of the first page of the peer, a multiple of 4,096.
     * @param regionKey     of the region, {@link Region#NO_KEY} for none.
     * @throws IllegalArgumentException if a number is out of range or there is no such peer.
     */
    public void map(
        final long offset, final long bytes, final int pcId, final long remoteAddress, final long regionKey)
    {
        if (((offset | bytes) & PAGE_MASK) != 0)
        {
            throw new IllegalArgumentException("not whole pages: " + bytes + " bytes at " + offset);
        }
        if (channels.apply(pcId) == null)
        {
            throw new IllegalArgumentException("there is no peer " + pcId);
        }
        for (long done = 0; done < bytes; done += PageMap.PAGE_SIZE)
        {
            map.map((int)((offset + done) >>> PageMap.PAGE_SHIFT), pcId, remoteAddress + done);
        }
        if (regionKey == Region.NO_KEY)
        {
            keys.remove(keyOf(pcId, remoteAddress));
        }
        else
        {
            keys.put(keyOf(pcId, remoteAddress), regionKey);
        }
        page = -1;
    }

    /**
     * Stores four bytes.
     *
     * @param offset a multiple of 4, in a mapped page.
     * @param value  any.
     * @return false if the value was not stored. The line stays pending.
     */
    public boolean putInt(final long offset, final int value)
    {
        if (!gather(offset, Integer.BYTES))
        {
            return false;
        }
        FrameMemory.putInt(line + (offset & LINE_MASK), value);
        sendIfFull();
        return true;
    }

    /**
     * Stores eight bytes.
     *
     * @param offset a multiple of 8, in a mapped page.
     * @param value  any.
     * @return false if the value was not stored. The line stays pending.
     */
    public boolean putLong(final long offset, final long value)
    {
        if (!gather(offset, Long.BYTES))
        {
            return false;
        }
        FrameMemory.putLong(line + (offset & LINE_MASK), value);
        sendIfFull();
        return true;
    }

    /**
     * Stores eight bytes that announce the earlier stores, and flushes. In {@link StoreOrder#IN_ORDER} the earlier
     * stores to the same peer take effect first. In {@link StoreOrder#RELAXED} they may take effect later.
     *
     * @param offset a multiple of 8, in a mapped page.
     * @param value  any.
     * @return false if the value was not stored and is not pending. The earlier stores may have been sent.
     */
    public boolean putLongOrdered(final long offset, final long value)
    {
        return send() && putLong(offset, value) && sendAlone();
    }

    /**
     * Stores four bytes that announce the earlier stores, as {@link #putLongOrdered} does.
     *
     * @param offset a multiple of 4, in a mapped page.
     * @param value  any.
     * @return false if the value was not stored and is not pending. The earlier stores may have been sent.
     */
    public boolean putIntOrdered(final long offset, final int value)
    {
        return send() && putInt(offset, value) && sendAlone();
    }

    /** Sends the pending number. If the channel does not accept it, discards it and returns false. */
    private boolean sendAlone()
    {
        final boolean sent = flush();
        if (!sent)
        {
            length = 0;
        }
        return sent;
    }

    /**
     * Stores bytes in the longest writes that page and format allow, without gathering a line.
     *
     * @param offset  of the first byte, in mapped pages.
     * @param address native, of the bytes.
     * @param bytes   0 or more.
     * @return number of stored bytes, from the first on. If it is below {@code bytes}, the caller repeats the rest
     *         later.
     */
    public int putBytes(final long offset, final long address, final int bytes)
    {
        int done = 0;
        boolean room = send();
        while (room && done < bytes)
        {
            enter(offset + done);
            final int inPage = PageMap.PAGE_SIZE - (int)(offset + done & PAGE_MASK);
            final int part = Math.min(Math.min(bytes - done, inPage), channel.longestWrite());
            room = channel.write(PageMap.remoteAddress(entry, offset + done), key, address + done, part, ordered);
            done += room ? part : 0;
        }
        return done;
    }

    /**
     * Passes the pending line to the channel and flushes the channel.
     *
     * @return false if the channel did not accept the line, which stays pending. Earlier writes are sent nevertheless.
     */
    public boolean flush()
    {
        final boolean sent = send();
        if (channel != null)
        {
            channel.flush();
        }
        return sent;
    }

    /**
     * Requests bytes, after all earlier stores to the same peer. The endpoint's {@link
     * org.fibnuma.ipnuma.channel.ChannelListener} receives them.
     *
     * @param offset of the first byte, in a mapped page.
     * @param bytes  1 to {@link PeerChannel#longestRead()}, within the page.
     * @param tag    request tag, returned with the bytes.
     * @return false if nothing was requested. Always false for a format without reads, or too many {@code bytes} for
     *         it.
     */
    public boolean read(final long offset, final int bytes, final long tag)
    {
        if (!send())
        {
            return false;
        }
        enter(offset);
        final boolean accepted = channel.read(PageMap.remoteAddress(entry, offset), key, bytes, tag);
        channel.flush();
        return accepted;
    }

    /**
     * Changes a number atomically, after all earlier stores to the same peer. The endpoint's {@link
     * org.fibnuma.ipnuma.channel.ChannelListener} receives its previous value.
     *
     * @param operation of {@link org.fibnuma.ipnuma.table.AtomicOperation}.
     * @param offset    of the number, a multiple of its width.
     * @param operand   to add or store.
     * @param compare   for compare and swap.
     * @param width     4 or 8 bytes.
     * @param tag       request tag, returned with the value.
     * @return false if nothing was requested. Always false for a format without atomics.
     */
    public boolean atomic(
        final int operation,
        final long offset,
        final long operand,
        final long compare,
        final int width,
        final long tag)
    {
        if (!send())
        {
            return false;
        }
        enter(offset);
        final boolean accepted = channel.atomic(
            operation, PageMap.remoteAddress(entry, offset), key, operand, compare, width, tag);
        channel.flush();
        return accepted;
    }

    /**
     * Prepares the line for a store, which may overwrite pending bytes or follow them. Returns false if the line has to
     * be sent first and cannot be sent.
     */
    private boolean gather(final long offset, final int width)
    {
        if ((offset & width - 1) != 0)
        {
            throw new IllegalArgumentException("offset " + offset + " is not a multiple of " + width);
        }
        final boolean joins = length > 0 && offset >= start && offset <= start + length &&
            offset >>> LINE_SHIFT == start >>> LINE_SHIFT;
        if (!joins)
        {
            if (!send())
            {
                return false;
            }
            enter(offset);
            start = offset;
        }
        length = Math.max(length, (int)(offset - start) + width);
        return true;
    }

    private void sendIfFull()
    {
        if ((start + length & LINE_MASK) == 0)
        {
            // A full line that the channel does not accept stays pending. The next store into another line sends it
            // first.
            send();
        }
    }

    /** Passes the pending line to the channel. Returns false if the channel does not accept it. */
    private boolean send()
    {
        if (length > 0)
        {
            if (!channel.write(
                PageMap.remoteAddress(entry, start), key, line + (start & LINE_MASK), length, ordered))
            {
                return false;
            }
            length = 0;
        }
        return true;
    }

    /**
     * Looks up the page of an offset. If its peer is not that of the previous page, flushes the previous peer's
     * channel.
     */
    private void enter(final long offset)
    {
        final long wanted = offset >>> PageMap.PAGE_SHIFT;
        if (wanted == page)
        {
            return;
        }
        Objects.checkIndex(wanted, map.pageCount());
        final long found = map.entry((int)wanted);
        if (found == 0)
        {
            throw new IllegalStateException("the page at " + offset + " is not mapped: map it first");
        }
        final PeerChannel next = channels.apply(PageMap.pcId(found));
        if (channel != null && channel != next)
        {
            channel.flush();
        }
        page = wanted;
        entry = found;
        key = keys.get(keyOf(PageMap.pcId(found), found & RemoteAddress.MASK));
        channel = next;
    }

    private static long keyOf(final int pcId, final long remoteAddress)
    {
        return (long)pcId << Short.SIZE | RemoteAddress.regionId(remoteAddress);
    }

    /** Releases the line's memory. Pending stores are lost. */
    @Override
    public void close()
    {
        memory.close();
    }
}
