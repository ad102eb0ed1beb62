package org.fibnuma.ipnuma.naming;

import org.fibnuma.ipnuma.table.RegionAccess;
import org.fibnuma.ipnuma.table.RemoteAddress;

/**
 * A region of a peer as its endpoint describes it.
 *
 * @param endpoint name of the endpoint.
 * @param epoch    of the endpoint's start, unsigned; another one means that what is known of its regions is old.
 * @param name     of the region.
 * @param id       1 to 65,535.
 * @param size     in bytes, 1 to 2^32.
 * @param access   bits of {@link RegionAccess}.
 * @param key      that accesses show; {@link org.fibnuma.ipnuma.table.Region#NO_KEY} where it was not asked for.
 */
public record NamedRegion(String endpoint, int epoch, String name, int id, long size, int access, long key)
{
    /**
     * Where it begins for a page map or {@code ClientMessage.target}: offsets are added.
     *
     * @return the 48-bit remote address of its first byte.
     */
    public long remoteAddress()
    {
        return RemoteAddress.of(id, 0);
    }
}
