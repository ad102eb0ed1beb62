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
 * A window of pages each of which leads to a page of a peer's region (thesis, section 3.3.1): what is stored here lands
 * there. Stores into one line of 64 bytes are gathered until the line is full, a store elsewhere or an ordered store
 * comes, or {@link #flush} is called, and leave as one write, as the write-combining mode of the paper has it. Stores
 * leave in the order of their lines, and land in it.
 * <p>
 * Offsets are bytes from the beginning of the window; numbers are stored in the byte order of the machine. The window
 * has no memory of its own: it cannot be loaded from, but by {@link #read}. For the endpoint's thread alone; nothing
 * allocates but {@link #map}.
 */
public final class PageWindow implements AutoCloseable
{
    /** Bytes of a line: what processors gather, and what one full write brings. */
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

    /** Of the pending line: where in the window it has its first byte, and how many. */
    private long start;
    private int length;

    /** Where the page leads that was stored to last. */
    private long page = -1;
    private long entry;
    private long key;
    private PeerChannel channel;

    /**
     * A window none of whose pages leads anywhere.
     *
     * @param bytes    of the window, a multiple of 4,096.
     * @param channels the way to a peer by its PC ID, null where there is none.
     * @param order    of the writes that it makes.
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
     * Lets pages lead to a region of a peer.
     *
     * @param offset        of the first page.
     * @param bytes         a multiple of 4,096.
     * @param pcId          of the peer.
     * @param remoteAddress of the first page there, a multiple of 4,096.
     * @param regionKey     of the region, {@link Region#NO_KEY} for none.
     * @throws IllegalArgumentException where a number is out of range or there is no such peer.
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
     * @param offset a multiple of 4, in a page that leads somewhere.
     * @param value  any.
     * @return false where there is no room now: nothing was stored; try again after a duty cycle.
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
     * @param offset a multiple of 8, in a page that leads somewhere.
     * @param value  any.
     * @return false where there is no room now: nothing was stored; try again after a duty cycle.
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
     * Stores eight bytes that announce what was stored before: all of that lands first, and everything leaves at once.
     *
     * @param offset a multiple of 8, in a page that leads somewhere.
     * @param value  any.
     * @return false where there is no room now: the number was not stored and will not be, what was stored before may
     *         have left; try again after a duty cycle.
     */
    public boolean putLongOrdered(final long offset, final long value)
    {
        return send() && putLong(offset, value) && sendAlone();
    }

    /**
     * Stores four bytes that announce what was stored before: all of that lands first, and everything leaves at once.
     *
     * @param offset a multiple of 4, in a page that leads somewhere.
     * @param value  any.
     * @return false where there is no room now: the number was not stored and will not be, what was stored before may
     *         have left; try again after a duty cycle.
     */
    public boolean putIntOrdered(final long offset, final int value)
    {
        return send() && putInt(offset, value) && sendAlone();
    }

    /** Lets the one number that is pending leave, or forgets it. */
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
     * Stores bytes, in writes as long as page and format admit; they need not wait for a line to be full.
     *
     * @param offset  of the first byte, in pages that lead somewhere.
     * @param address native, of the bytes.
     * @param bytes   0 or more.
     * @return how many were stored, from the first on: fewer than {@code bytes} where there is no room now.
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
     * Lets everything that was stored leave now.
     *
     * @return false where there is no room now for what was gathered: try again after a duty cycle.
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
     * Asks for bytes, after everything that was stored before; they come to the endpoint's
     * {@link org.fibnuma.ipnuma.channel.ChannelListener}.
     *
     * @param offset of the first byte, in a page that leads somewhere.
     * @param bytes  1 to what the peer's channel admits, within the page.
     * @param tag    given back with them.
     * @return false where there is no room now, or the peer's format cannot ask.
     */
    public boolean read(final long offset, final int bytes, final long tag)
    {
        if (!send())
        {
            return false;
        }
        enter(offset);
        final boolean taken = channel.read(PageMap.remoteAddress(entry, offset), key, bytes, tag);
        channel.flush();
        return taken;
    }

    /**
     * Changes a number in one step, after everything that was stored before; the value before comes to the endpoint's
     * {@link org.fibnuma.ipnuma.channel.ChannelListener}.
     *
     * @param operation of {@link org.fibnuma.ipnuma.table.AtomicOperation}.
     * @param offset    of the number, a multiple of its width.
     * @param operand   to add or store.
     * @param compare   for compare and swap.
     * @param width     4 or 8 bytes.
     * @param tag       given back with the value.
     * @return false where there is no room now, or the peer's format cannot ask.
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
        final boolean taken = channel.atomic(
            operation, PageMap.remoteAddress(entry, offset), key, operand, compare, width, tag);
        channel.flush();
        return taken;
    }

    /** Makes room in the line for a store, which may replace what is pending or follow it. */
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
            // Where there is no room now it stays, and the next store finds it in its way.
            send();
        }
    }

    /** Hands the pending line to the channel. */
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

    /** Finds out where a byte leads; flushes the channel that was used before where it is another one. */
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
            throw new IllegalStateException("the page at " + offset + " leads nowhere: map it first");
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

    /** Gives the line's memory back; what was not flushed is lost. */
    @Override
    public void close()
    {
        memory.close();
    }
}
