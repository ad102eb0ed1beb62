package org.fibnuma.fibnic.config;

/**
 * A static neighbour.
 *
 * @param port       index of the port whose network it is in.
 * @param address    as in {@link org.fibnuma.core.wire.Ipv4Address}.
 * @param macAddress as in {@link org.fibnuma.core.wire.MacAddress}.
 */
public record NeighborConfig(int port, int address, long macAddress)
{
}
