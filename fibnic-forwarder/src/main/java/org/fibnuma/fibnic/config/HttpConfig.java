package org.fibnuma.fibnic.config;

import org.fibnuma.core.config.SocketAddressText;

import java.net.InetSocketAddress;
import java.util.Set;

/**
 * The HTTP server of the router. It has neither passwords nor encryption.
 *
 * @param listen          address and port; with port 0 the kernel chooses one, which the log names.
 * @param allowOtherHosts whether the address may be one that other hosts can reach.
 * @param hostNames       names in lower case by which clients may call the server, beside its addresses and localhost.
 * @param line            line of the address in the file, or of the table.
 */
public record HttpConfig(InetSocketAddress listen, boolean allowOtherHosts, Set<String> hostNames, int line)
{
    /** In 9100 to 9999, where exporters of Prometheus listen. */
    public static final int DEFAULT_PORT = 9473;
    /** Loopback only, because everyone who can connect can read everything. */
    public static final String DEFAULT_LISTEN = "127.0.0.1:" + DEFAULT_PORT;

    /** Returns the address with its port, as in the configuration. */
    public String listenText()
    {
        return SocketAddressText.format(listen);
    }
}
