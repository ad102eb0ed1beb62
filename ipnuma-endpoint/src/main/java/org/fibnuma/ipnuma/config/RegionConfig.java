package org.fibnuma.ipnuma.config;

import org.fibnuma.core.wire.Ipv4Prefix;

import java.util.List;

/**
 * A stretch of memory that peers may touch.
 *
 * @param id     1 to 65,535.
 * @param name   for people and for looking up.
 * @param size   in bytes.
 * @param allow  peers that may, by address; nobody where it is empty.
 * @param access bits of {@link org.fibnuma.ipnuma.table.RegionAccess}.
 * @param key    that an access must show; {@link org.fibnuma.ipnuma.table.Region#NO_KEY} for none.
 * @param isZero whether addresses without a region id reach it.
 */
public record RegionConfig(
    int id, String name, int size, List<Ipv4Prefix> allow, int access, long key, boolean isZero)
{
}
