package org.fibnuma.fibnic.metrics;

/**
 * What the control thread could not do, at one moment.
 *
 * @param refusedNeighborRequests requests to resolve a neighbour that the kernel refused, since the start.
 * @param unansweredNextHops      next hops whose neighbour does not answer now.
 * @param skippedFpmMessages      messages of a routing daemon that could not be applied, since the start.
 */
public record ControlSample(long refusedNeighborRequests, int unansweredNextHops, long skippedFpmMessages)
{
}
