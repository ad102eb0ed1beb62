package org.fibnuma.ipnuma.config;

import org.fibnuma.ipnuma.seal.SealKey;
import org.fibnuma.ipnuma.wire.WireFormat;

import java.net.InetSocketAddress;

/**
 * Another endpoint.
 *
 * @param id     its PC ID, 1 to 65,535.
 * @param ipv4   its address.
 * @param format how it speaks.
 * @param mac    of its station, 0 where ARP finds it.
 * @param names  where its endpoint tells its regions by name, null where the file does not say.
 * @param seal   key that its datagrams and those to it are sealed with, null where they are not.
 */
public record PeerConfig(int id, int ipv4, WireFormat format, long mac, InetSocketAddress names, SealKey seal)
{
}
