package org.fibnuma.fabric.export;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;

import java.util.List;

/** The addresses of a fabric's servers and cables, of IPv4, IPv6 or both. */
public interface Addressing
{
    /** {@return the prefixes of a server, one or more; switches have a route for each} */
    List<IpPrefix> prefixes(int server);

    /** {@return the address in a family of the port through which a channel leaves its switch, or null} */
    IpAddress port(int channel, boolean isIpv6);
}
