package org.fibnuma.ipnuma.config;

import org.fibnuma.ipnuma.seal.SealKey;
import org.fibnuma.ipnuma.wire.WireFormat;

import java.net.InetSocketAddress;

/**
 * Another endpoint.
 *
 * @param id     its PC ID, 1 to 65,535.
 * @param ipv4   IPv4 address of the peer.
 * @param format wire format of its datagrams.
 * @param mac    MAC address of the next hop, 0 to resolve it with ARP.
 * @param names  address of its name server, null if not configured.
 * @param seal   key of datagrams in both directions, null if they are not sealed.
 */
public record PeerConfig(int id, int ipv4, WireFormat format, long mac, InetSocketAddress names, SealKey seal)
{
}
