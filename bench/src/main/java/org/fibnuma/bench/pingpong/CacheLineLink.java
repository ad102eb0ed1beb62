package org.fibnuma.bench.pingpong;

import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.memory.OrderedMemory;
import org.fibnuma.ipnuma.pingpong.CounterLink;

/** A counter in one cache line for each direction: the least that two cores can do to answer each other. */
final class CacheLineLink implements CounterLink
{
    /** Two lines apart, since processors fetch lines in pairs. */
    private static final int DISTANCE = 256;

    private final long sent;
    private final long received;

    private CacheLineLink(final long sent, final long received)
    {
        this.sent = sent;
        this.received = received;
    }

    /**
     * Returns one end.
     *
     * @param memory   of at least 512 bytes, zeroed, shared by both ends.
     * @param isServer which of them.
     */
    static CacheLineLink of(final MemoryRegion memory, final boolean isServer)
    {
        final long request = memory.address();
        final long answer = request + DISTANCE;
        return isServer ? new CacheLineLink(answer, request) : new CacheLineLink(request, answer);
    }

    @Override
    public String device()
    {
        return "cache line";
    }

    @Override
    public void send(final int counter)
    {
        OrderedMemory.putIntRelease(sent, counter);
    }

    @Override
    public int poll()
    {
        return OrderedMemory.getIntAcquire(received);
    }

    @Override
    public void wake()
    {
        // It never waits.
    }

    @Override
    public void close()
    {
        // The memory belongs to the program.
    }
}
