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
        }
        ids[flow] = id;
        timeoutSeconds[flow] = timeout;
        learnedMs[flow] = nowMs;
        refreshedMs[flow] = nowMs;
        packets[flow] = 0;
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

    void refreshed(final int flow, final long packetsNow, final long nowMs)
    {
        packets[flow] = packetsNow;
        refreshedMs[flow] = nowMs;
    }
}
