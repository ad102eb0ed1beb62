package org.fibnuma.ipnuma.stream;

import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.core.UserException;
import org.fibnuma.ipnuma.memory.RegionMapping;

import java.net.BindException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The local endpoint's directory of ports: a region with one {@link PortEntry} for each port. All listening programs of
 * the machine share it, and peers read it. Entries of ended programs and of an earlier start of the endpoint are
 * replaced. For the agent's thread.
 */
final class PortRegion implements AutoCloseable
{
    static final long SIZE = (IpnumaSocketAddress.MAX_PORT + 1L) * PortEntry.LENGTH;

    private static final int FIRST_FREE = 32_768;
    private static final int FREE_COUNT = 16_384;
    private static final int PID_SHIFT = 32;
    private static final int EPOCH_SHIFT = 16;
    private static final int SHORT_MASK = 0xFFFF;

    private final RegionMapping mapping;
    private final UnsafeBuffer memory;
    private final PortEntry entry;
    private final long owner;

    /** Uses the entry of this program, and the mapping of the region, which {@link #close} releases. */
    PortRegion(final RegionMapping mapping, final PortEntry entry)
    {
        this.mapping = mapping;
        this.entry = entry;
        if (mapping.size() < SIZE)
        {
            mapping.close();
            throw new UserException(mapping.file() + " has " + mapping.size() / 1024 +
                " KiB; the directory of ports needs size-kib = " + SIZE / 1024 + " in the endpoint's configuration");
        }
        this.memory = new UnsafeBuffer(mapping.address(), (int)SIZE);
        this.owner = ProcessHandle.current().pid() << PID_SHIFT |
            (mapping.epoch() & (long)SHORT_MASK) << EPOCH_SHIFT | entry.regionId();
    }

    /** Returns the region id of the directory, here and at the peers. */
    int regionId()
    {
        return mapping.id();
    }

    /** Listens on a port, or on any free port if the argument is 0. Returns the port. */
    int bind(final int port) throws BindException
    {
        if (port != 0)
        {
            if (!claim(port))
            {
                throw new BindException("port " + port + " is in use by process " +
                    (memory.getLongVolatile(at(port)) >>> PID_SHIFT));
            }
            return port;
        }
        final int start = ThreadLocalRandom.current().nextInt(FREE_COUNT);
        for (int i = 0; i < FREE_COUNT; i++)
        {
            final int candidate = FIRST_FREE + (start + i) % FREE_COUNT;
            if (claim(candidate))
            {
                return candidate;
            }
        }
        throw new BindException("no free port from " + FIRST_FREE + " to " + (FIRST_FREE + FREE_COUNT - 1));
    }

    private boolean claim(final int port)
    {
        final int at = at(port);
        final long before = memory.getLongVolatile(at);
        if (before != 0 && !isStale(before) || !memory.compareAndSetLong(at, before, owner))
        {
            return false;
        }
        memory.putLongVolatile(at + PortEntry.COMPLETE_OFFSET, 0);
        memory.putInt(at + PortEntry.REGION_OFFSET, entry.regionId());
        memory.putInt(at + PortEntry.LAYOUT_OFFSET, entry.layout().pack());
        memory.putLong(at + PortEntry.KEY_OFFSET, entry.key());
        memory.putLongRelease(at + PortEntry.COMPLETE_OFFSET, owner);
        return true;
    }

    private boolean isStale(final long other)
    {
        return (other >>> EPOCH_SHIFT & SHORT_MASK) != (owner >>> EPOCH_SHIFT & SHORT_MASK) ||
            ProcessHandle.of(other >>> PID_SHIFT).isEmpty();
    }

    /** Stops listening on a port of this program. An entry that another program has replaced stays. */
    void unbind(final int port)
    {
        memory.compareAndSetLong(at(port), owner, 0);
    }

    private static int at(final int port)
    {
        return port * PortEntry.LENGTH;
    }

    @Override
    public void close()
    {
        mapping.close();
    }
}
