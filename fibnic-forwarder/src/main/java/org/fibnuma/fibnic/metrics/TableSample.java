package org.fibnuma.fibnic.metrics;

/**
 * Tables of one family at one moment.
 *
 * @param fibRoutes prefixes in the FIB.
 * @param fibBytes  memory of the FIB in bytes.
 * @param prefixes  prefixes in the RIB.
 * @param routes    in the RIB; several can have the same prefix.
 * @param ribBytes  memory of the RIB in bytes.
 */
public record TableSample(long fibRoutes, long fibBytes, long prefixes, long routes, long ribBytes)
{
}
