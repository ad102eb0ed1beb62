package org.fibnuma.ipnuma.client;

import org.fibnuma.ipnuma.memory.RegionMapping;

/**
 * A region that a client made.
 *
 * @param id     that peers address.
 * @param key    that their accesses show.
 * @param memory in this process; closed by whoever made the region.
 */
public record OwnRegion(int id, long key, RegionMapping memory)
{
}
