package org.fibnuma.ipnuma.client;

import org.fibnuma.ipnuma.memory.RegionMapping;

/**
 * A region that a client has added.
 *
 * @param id     of the region in remote addresses.
 * @param key    that accesses must contain.
 * @param memory mapping in this process, closed by the caller.
 */
public record OwnRegion(int id, long key, RegionMapping memory)
{
}
