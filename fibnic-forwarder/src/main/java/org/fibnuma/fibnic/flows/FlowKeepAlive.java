package org.fibnuma.fibnic.flows;

import org.fibnuma.binding.conntrack.ConntrackBatch;
import org.fibnuma.binding.conntrack.ConntrackTimeouts;
import org.fibnuma.binding.netfilter.FlowLabels;
import org.fibnuma.core.flow.FlowTable;
import org.fibnuma.core.flow.FlowTuple;
import org.fibnuma.core.kernel.HostRestriction;
import org.fibnuma.fibnic.rate.TokenBucket;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * Refreshes the entries of flows that have packets, so that they do not expire in connection tracking, which does not
 * see the packets. Ends flows that the kernel must have again. Control thread.
 */
final class FlowKeepAlive
{
    /** An entry in use is refreshed when this part of its timeout has passed, or after the longest interval. */
    static final int REFRESHES_PER_TIMEOUT = 4;

    /** The table is walked once in this many duty cycles, which last 1 ms or longer. */
    private static final int CYCLES_PER_WALK = 2000;
    /** A flow that ends sooner is learned again later: the kernel may send its packets otherwise than the router. */
    private static final long SHORTEST_LIFE_MS = TimeUnit.SECONDS.toMillis(10);
    private static final long LONGEST_REFRESH_MS = TimeUnit.MINUTES.toMillis(15);
    /** An entry in use that was not refreshed for this part of its timeout is left to the kernel. */
    private static final int UNREFRESHED_PER_TIMEOUT = 2;

    private final FlowTable table;
    private final FlowRecords records;
    private final ConntrackBatch batch;
    private final ConntrackTimeouts timeouts;
    private final TokenBucket tokens;
    private final IntConsumer end;
    private final Consumer<FlowTuple> later;
    private final Consumer<FlowRefusal> refusals;
    /** The flows of the changes in the batch, {@link FlowTable#NONE} for one that has ended. */
    private final List<Integer> changed = new ArrayList<>();
    private int next = 1;

    /**
     * Keeps flows alive.
     *
     * @param table    of the flows.
     * @param records  of the same flows.
     * @param batch    that is empty at each call.
     * @param timeouts of connection tracking.
     * @param tokens   one for each refresh.
     * @param end      ends a flow.
     * @param later    learns a connection after a while, if it still is one.
     * @param refusals receives why a flow in use was ended.
     */
    FlowKeepAlive(
        final FlowTable table,
        final FlowRecords records,
        final ConntrackBatch batch,
        final ConntrackTimeouts timeouts,
        final TokenBucket tokens,
        final IntConsumer end,
        final Consumer<FlowTuple> later,
        final Consumer<FlowRefusal> refusals)
    {
        this.table = table;
        this.records = records;
        this.batch = batch;
        this.timeouts = timeouts;
        this.tokens = tokens;
        this.end = end;
        this.later = later;
        this.refusals = refusals;
    }

    /**
     * Examines a part of the flows.
     *
     * @param labels        of the current ruleset.
     * @param offloadedOnly packets that the kernel must receive unless their connection is in one of its flowtables.
     * @return number of flows that were refreshed or ended.
     */
    int walk(final long nowMs, final FlowLabels.Labels labels, final List<HostRestriction.Scope> offloadedOnly)
    {
        int work = 0;
        final int count = Math.min(table.end() - 1, 1 + table.end() / CYCLES_PER_WALK);
        for (int i = 0; i < count; i++)
        {
            next = next >= table.end() ? 1 : next;
            if (records.has(next) && (endAgain(next, nowMs, labels, offloadedOnly) || refresh(next, nowMs)))
            {
                work++;
            }
            next++;
        }
        send();
        return work;
    }

    /**
     * Ends a flow that a program or worker has invalidated, because its route has changed or it closes, and one that a
     * flowtable would have removed. If it is established, its next packets set the labels anew, at once or later.
     */
    private boolean endAgain(
        final int flow,
        final long nowMs,
        final FlowLabels.Labels labels,
        final List<HostRestriction.Scope> offloadedOnly)
    {
        final boolean isValid = table.isValid(flow);
        if (isValid && (offloadedOnly.isEmpty() || !isIdle(flow, nowMs, offloadedOnly)))
        {
            return false;
        }
        if (isValid || nowMs - records.learnedMs(flow) > SHORTEST_LIFE_MS)
        {
            makeRoom();
            batch.addLabelRemoval(table.tuple(2 * flow), 0, labels.high(), labels.low());
            changed.add(FlowTable.NONE);
        }
        else
        {
            later.accept(table.tuple(2 * flow));
        }
        end.accept(flow);
        return true;
    }

    /** Returns whether the next packet of a flow would meet the rules again in the kernel alone. */
    private boolean isIdle(final int flow, final long nowMs, final List<HostRestriction.Scope> offloadedOnly)
    {
        final FlowTuple original = table.tuple(2 * flow);
        return FlowFollower.areOf(offloadedOnly, original) && records.idleMs(flow, packets(flow), nowMs) >=
            TimeUnit.SECONDS.toMillis(timeouts.flowtable(original.protocol()));
    }

    private boolean refresh(final int flow, final long nowMs)
    {
        final long timeoutMs = TimeUnit.SECONDS.toMillis(records.timeoutSeconds(flow));
        final long sinceMs = nowMs - records.refreshedMs(flow);
        final long packets = packets(flow);
        if (sinceMs < Math.min(LONGEST_REFRESH_MS, timeoutMs / REFRESHES_PER_TIMEOUT) ||
            !records.isActive(flow, packets))
        {
            return false;
        }
        if (!tokens.take())
        {
            if (sinceMs >= timeoutMs / UNREFRESHED_PER_TIMEOUT)
            {
                refusals.accept(FlowRefusal.REFRESHES);
                end.accept(flow);
            }
            return false;
        }
        makeRoom();
        records.refreshed(flow, packets, nowMs);
        batch.addRefresh(table.tuple(2 * flow), 0, records.timeoutSeconds(flow));
        changed.add(flow);
        return true;
    }

    private long packets(final int flow)
    {
        return table.packets(2 * flow) + table.packets(2 * flow + 1);
    }

    private void makeRoom()
    {
        if (batch.isFull())
        {
            send();
        }
    }

    private void send()
    {
        batch.send((index, errno) ->
        {
            if (changed.get(index) != FlowTable.NONE)
            {
                end.accept(changed.get(index));
            }
        });
        changed.clear();
    }
}
