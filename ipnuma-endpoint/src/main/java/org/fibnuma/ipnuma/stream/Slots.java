package org.fibnuma.ipnuma.stream;

import org.agrona.collections.IntArrayQueue;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** The slots of this program's region and their channels. The next slot is the one that has been free longest. */
final class Slots
{
    /** Exceeds the time for which networks and the sessions of two endpoints keep a store of a killed program. */
    private static final long QUARANTINE_NS = TimeUnit.SECONDS.toNanos(10);

    private record Quarantined(int slot, long sinceNs)
    {
    }

    private final StreamLayout layout;
    private final UnsafeBuffer memory;
    private final StreamChannel[] channels;
    private final IntArrayQueue free;
    private final Queue<Quarantined> quarantine = new ArrayDeque<>();

    Slots(final StreamLayout layout, final UnsafeBuffer memory)
    {
        this.layout = layout;
        this.memory = memory;
        this.channels = new StreamChannel[layout.connections()];
        this.free = new IntArrayQueue(layout.connections(), -1);
        for (int i = 0; i < channels.length; i++)
        {
            free.addInt(i);
        }
    }

    boolean isFull()
    {
        return free.isEmpty();
    }

    /** Returns a slot with a cleared header, or -1 if none is free. */
    int allocate()
    {
        final int slot = free.isEmpty() ? -1 : free.pollInt();
        if (slot >= 0)
        {
            memory.setMemory(layout.header(slot), StreamLayout.HEADER_LENGTH, (byte)0);
        }
        return slot;
    }

    /** Returns a random slot tag, never 0. */
    int nextTag()
    {
        return 1 + ThreadLocalRandom.current().nextInt(SlotHeader.MAX_TAG);
    }

    void put(final StreamChannel channel)
    {
        channels[channel.slot()] = channel;
    }

    /** Returns the channel of a slot, or null if there is none. */
    StreamChannel get(final int slot)
    {
        return slot < channels.length ? channels[slot] : null;
    }

    List<StreamChannel> all()
    {
        final List<StreamChannel> all = new ArrayList<>();
        for (final StreamChannel channel : channels)
        {
            if (channel != null)
            {
                all.add(channel);
            }
        }
        return all;
    }

    int used()
    {
        return channels.length - free.size();
    }

    /** Frees the slot of a channel. If the peer may still store into the slot, this happens after a delay. */
    void release(final StreamChannel channel, final boolean mayBeStored, final long nowNs)
    {
        channels[channel.slot()] = null;
        if (mayBeStored)
        {
            quarantine.add(new Quarantined(channel.slot(), nowNs));
        }
        else
        {
            free.addInt(channel.slot());
        }
    }

    void tick(final long nowNs)
    {
        while (!quarantine.isEmpty() && nowNs - quarantine.peek().sinceNs > QUARANTINE_NS)
        {
            free.addInt(quarantine.remove().slot);
        }
    }
}
