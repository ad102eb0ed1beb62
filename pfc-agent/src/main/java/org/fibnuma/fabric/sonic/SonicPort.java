package org.fibnuma.fabric.sonic;

/**
 * A front port.
 *
 * @param name          as in the table PORT, such as {@code Ethernet0}.
 * @param alias         the vendor's name; the name if there is none.
 * @param bitsPerSecond speed of the link; 0 if it is not configured.
 * @param mtu           longest packet in bytes, without the Ethernet header.
 * @param lanes         number of lanes; 0 if they are not configured.
 * @param cableMeters   length of the cable; -1 if it is not configured.
 * @param isUp          whether it is not shut down by the configuration.
 */
record SonicPort(String name, String alias, long bitsPerSecond, int mtu, int lanes, long cableMeters, boolean isUp)
{
}
