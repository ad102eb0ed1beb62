package org.fibnuma.ipnuma.client.host;

import org.fibnuma.ipnuma.client.CompanionWrites;

/** Writes of the client in a slot whose thread runs the endpoint. */
final class SlotWrites implements CompanionWrites
{
    private final ClientRequests requests;
    private final ClientSlot slot;

    SlotWrites(final ClientRequests requests, final ClientSlot slot)
    {
        this.requests = requests;
        this.slot = slot;
    }

    @Override
    public int longest(final long target)
    {
        return slot.isIdle() ? requests.longestWrite(target) : 0;
    }

    @Override
    public Outcome write(
        final long target,
        final int generation,
        final long dataAddress,
        final int length,
        final int flags,
        final long correlation)
    {
        return slot.isIdle() ?
            requests.write(slot, target, generation, dataAddress, length, flags, correlation) : Outcome.NOT_DIRECT;
    }

    @Override
    public boolean passesByMemory(final long target)
    {
        return slot.isIdle() && requests.passesByMemory(target);
    }

    @Override
    public boolean scatter(
        final long target, final int generation, final long listAddress, final int length, final long correlation)
    {
        return slot.isIdle() && requests.scatter(slot, target, generation, listAddress, length, correlation);
    }
}
