package org.fibnuma.ipnuma.config;

import org.fibnuma.ipnuma.wire.WireFormat;

/**
 * Another endpoint.
 *
 * @param id     its PC ID, 1 to 65,535.
 * @param ipv4   its address.
 * @param format how it speaks.
 * @param mac    of its station, 0 where ARP finds it.
 */
public record PeerConfig(int id, int ipv4, WireFormat format, long mac)
{
}
