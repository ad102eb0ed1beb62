package org.fibnuma.fibnic.metrics;

/**
 * Tables of one family at one moment.
 *
 * @param fibRoutes prefixes in the FIB.
 * @param fibBytes  memory of the FIB.
 * @param prefixes  prefixes in the RIB.
 * @param routes    candidates for these prefixes.
 * @param ribBytes  memory of the RIB.
 */
public record TableSample(long fibRoutes, long fibBytes, long prefixes, long routes, long ribBytes)
{
}
