package org.fibnuma.ipnuma.naming;

import org.fibnuma.ipnuma.table.RegionAccess;
import org.fibnuma.ipnuma.table.RemoteAddress;

/**
 * Region of a peer, as its endpoint describes it.
 *
 * @param endpoint name of the endpoint.
 * @param epoch    of the endpoint's start, unsigned. After a change, earlier descriptions are invalid.
 * @param name     of the region.
 * @param id       1 to 65,535.
 * @param size     in bytes, 1 to 2^32.
 * @param access   bits of {@link RegionAccess}.
 * @param key      for accesses; {@link org.fibnuma.ipnuma.table.Region#NO_KEY} if it was not requested.
 */
public record NamedRegion(String endpoint, int epoch, String name, int id, long size, int access, long key)
{
    /** Returns the 48-bit remote address of the first byte, for a page map or {@code ClientMessage.target}. */
    public long remoteAddress()
    {
        return RemoteAddress.of(id, 0);
    }
}
