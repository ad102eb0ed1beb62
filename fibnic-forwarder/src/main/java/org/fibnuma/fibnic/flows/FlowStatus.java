package org.fibnuma.fibnic.flows;

import java.util.Map;

/**
 * The flows of a router in numbers, at one moment.
 *
 * @param isWanted    whether the host has packet filters that are followed.
 * @param obstacle    why no flows are found, in one line; empty if they are.
 * @param flows       number of flows.
 * @param capacity    most flows.
 * @param memoryBytes of their table; 0 before it is first needed.
 * @param learned     connections that became flows, since the start.
 * @param ended       flows that ended, since the start.
 * @param refusals    connections that did not become flows, since the start; without reasons that have not occurred.
 */
public record FlowStatus(
    boolean isWanted,
    String obstacle,
    int flows,
    int capacity,
    long memoryBytes,
    long learned,
    long ended,
    Map<FlowRefusal, Long> refusals)
{
    /** Status of a router that never has flows. */
    public static final FlowStatus NONE = new FlowStatus(
        false, "packet filters of the kernel do not concern the ports of the router", 0, 0, 0, 0, 0, Map.of());

    /** Returns whether flows are found: the packets of connections that became flows are forwarded. */
    public boolean isFound()
    {
        return obstacle.isEmpty();
    }

    /** Returns how many connections were refused for a reason. */
    public long refused(final FlowRefusal refusal)
    {
        return refusals.getOrDefault(refusal, 0L);
    }

    /** Returns how many connections were refused. */
    public long refused()
    {
        return refusals.values().stream().mapToLong(Long::longValue).sum();
    }
}
