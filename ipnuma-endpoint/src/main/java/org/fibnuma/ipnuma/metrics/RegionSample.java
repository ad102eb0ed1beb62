package org.fibnuma.ipnuma.metrics;

/**
 * A region at one moment, or the sum of several regions.
 *
 * @param name   of the region, or {@link EndpointSample#OTHER}.
 * @param access such as {@code write+read}; empty for a sum.
 * @param bytes  of the region.
 * @param count  regions in this sum, 1 for one region.
 */
public record RegionSample(String name, String access, long bytes, int count)
{
}
