package org.fibnuma.fibnic.metrics;

/**
 * Failures of the control thread at one moment.
 *
 * @param refusedNeighborRequests requests to resolve a neighbour that the kernel refused, since the start.
 * @param unansweredNextHops      next hops whose neighbour does not answer at this moment.
 * @param skippedFpmMessages      messages of a routing daemon that could not be applied, since the start.
 */
public record ControlSample(long refusedNeighborRequests, int unansweredNextHops, long skippedFpmMessages)
{
}
