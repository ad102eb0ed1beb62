package org.fibnuma.ipnuma.config;

import org.fibnuma.core.wire.Ipv4Prefix;

import java.util.List;

/**
 * A region: memory that peers may access.
 *
 * @param id     1 to 65,535.
 * @param name   by which clients and lookups find it.
 * @param size   in bytes.
 * @param allow  addresses of peers that may access it; no peer if empty.
 * @param access bits of {@link org.fibnuma.ipnuma.table.RegionAccess}.
 * @param key    that an access must contain; {@link org.fibnuma.ipnuma.table.Region#NO_KEY} for none.
 * @param isZero whether addresses without a region id belong to it.
 */
public record RegionConfig(
    int id, String name, int size, List<Ipv4Prefix> allow, int access, long key, boolean isZero)
{
}
