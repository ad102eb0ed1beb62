package org.fibnuma.ipnuma.stream;

import org.agrona.concurrent.UnsafeBuffer;

import java.util.concurrent.TimeUnit;

/**
 * The hello slots of this program's region. Processes complete records, and frees claimed slots that stay incomplete.
 */
final class HelloSlots
{
    /** A program stores its record at once. Only a stopped or a lost program takes longer. */
    private static final long MAX_CLAIM_NS = TimeUnit.SECONDS.toNanos(5);

    private final UnsafeBuffer memory;
    private final StreamAgent agent;
    private final UnsafeBuffer copy = new UnsafeBuffer(new byte[StreamLayout.HELLO_LENGTH]);
    private final long[] claims = new long[StreamLayout.HELLOS];
    private final long[] claimedNs = new long[StreamLayout.HELLOS];

    HelloSlots(final UnsafeBuffer memory, final StreamAgent agent)
    {
        this.memory = memory;
        this.agent = agent;
    }

    /** Processes all complete records; returns their number. */
    int poll()
    {
        int count = 0;
        for (int i = 0; i < StreamLayout.HELLOS; i++)
        {
            final int slot = StreamLayout.hello(i);
            final long claim = memory.getLongVolatile(slot + HelloRecord.CLAIM_OFFSET);
            if (claim != 0 && claim == memory.getLongVolatile(slot + HelloRecord.COMPLETE_OFFSET))
            {
                copy.putBytes(0, memory, slot, StreamLayout.HELLO_LENGTH);
                free(slot);
                agent.onHello(HelloRecord.read(copy));
                count++;
            }
        }
        return count;
    }

    /** Frees the slots whose claim is too old. */
    void tick(final long nowNs)
    {
        for (int i = 0; i < StreamLayout.HELLOS; i++)
        {
            final int slot = StreamLayout.hello(i);
            final long claim = memory.getLongVolatile(slot + HelloRecord.CLAIM_OFFSET);
            if (claim != claims[i])
            {
                claims[i] = claim;
                claimedNs[i] = nowNs;
            }
            else if (claim != 0 && nowNs - claimedNs[i] > MAX_CLAIM_NS)
            {
                free(slot);
                agent.count(StreamCounter.STALE_HELLO);
            }
        }
    }

    private void free(final int slot)
    {
        memory.putLongVolatile(slot + HelloRecord.COMPLETE_OFFSET, 0);
        memory.putLongVolatile(slot + HelloRecord.CLAIM_OFFSET, 0);
    }
}
