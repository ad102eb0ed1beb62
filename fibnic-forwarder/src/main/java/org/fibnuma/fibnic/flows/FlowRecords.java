package org.fibnuma.fibnic.flows;

import java.util.Arrays;

/** What the control thread remembers of each flow beside the table of the workers, by the number of the flow. */
final class FlowRecords
{
    private static final int FIRST_LENGTH = 1024;

    private int[] ids = new int[0];
    private int[] timeoutSeconds = new int[0];
    private long[] learnedMs = new long[0];
    private long[] refreshedMs = new long[0];
    /** Packets of both directions when the entry was refreshed. */
    private long[] packets = new long[0];
    /** Packets of both directions at the last call of {@link #idleMs}, and when they first were as many. */
    private long[] seenPackets = new long[0];
    private long[] seenMs = new long[0];

    /** Remembers a flow of an entry with a timeout; the id is that of the entry in conntrack. */
    void put(final int flow, final int id, final int timeout, final long nowMs)
    {
        if (flow >= ids.length)
        {
            final int length = Math.max(FIRST_LENGTH, Math.max(flow + 1, 2 * ids.length));
            ids = Arrays.copyOf(ids, length);
            timeoutSeconds = Arrays.copyOf(timeoutSeconds, length);
            learnedMs = Arrays.copyOf(learnedMs, length);
            refreshedMs = Arrays.copyOf(refreshedMs, length);
            packets = Arrays.copyOf(packets, length);
            seenPackets = Arrays.copyOf(seenPackets, length);
            seenMs = Arrays.copyOf(seenMs, length);
        }
        ids[flow] = id;
        timeoutSeconds[flow] = timeout;
        learnedMs[flow] = nowMs;
        refreshedMs[flow] = nowMs;
        packets[flow] = 0;
        seenPackets[flow] = 0;
        seenMs[flow] = nowMs;
    }

    /** Forgets a flow. */
    void remove(final int flow)
    {
        timeoutSeconds[flow] = 0;
    }

    /** Forgets all flows. */
    void clear()
    {
        Arrays.fill(timeoutSeconds, 0);
    }

    /** Returns whether a flow is remembered. */
    boolean has(final int flow)
    {
        return flow < timeoutSeconds.length && timeoutSeconds[flow] != 0;
    }

    int id(final int flow)
    {
        return ids[flow];
    }

    int timeoutSeconds(final int flow)
    {
        return timeoutSeconds[flow];
    }

    long learnedMs(final int flow)
    {
        return learnedMs[flow];
    }

    long refreshedMs(final int flow)
    {
        return refreshedMs[flow];
    }

    /** Returns whether a flow has had packets since {@link #refreshed}. */
    boolean isActive(final int flow, final long packetsNow)
    {
        return packets[flow] != packetsNow;
    }

    /** Returns for how long a flow has had no packets, as far as earlier calls of this method have seen. */
    long idleMs(final int flow, final long packetsNow, final long nowMs)
    {
        if (seenPackets[flow] != packetsNow)
        {
            seenPackets[flow] = packetsNow;
            seenMs[flow] = nowMs;
        }
        return nowMs - seenMs[flow];
    }

    void refreshed(final int flow, final long packetsNow, final long nowMs)
    {
        packets[flow] = packetsNow;
        refreshedMs[flow] = nowMs;
    }
}
