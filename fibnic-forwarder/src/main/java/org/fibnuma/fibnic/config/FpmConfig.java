package org.fibnuma.fibnic.config;

import org.fibnuma.core.service.config.SocketAddressText;

import org.fibnuma.core.service.config.ListenAddress;

import java.net.InetSocketAddress;

/**
 * Settings of {@link ControlMode#FPM}.
 *
 * @param listen       address and TCP port that the routing daemon connects to.
 * @param staleSeconds time for which routes of an earlier connection stay after one of them was handed over again.
 */
public record FpmConfig(InetSocketAddress listen, int staleSeconds)
{
    /** The TCP port that zebra connects to by default (fpm/fpm.h, FRR 8.4). */
    public static final int DEFAULT_PORT = 2620;
    /** Loopback only: every process that can connect changes the routes. */
    public static final String DEFAULT_LISTEN = "127.0.0.1:" + DEFAULT_PORT;
    /**
     * After a restart of zebra the other daemons of FRR connect to it within 10 s, and BGP sessions that have ended are
     * up within about a minute.
     */
    public static final int DEFAULT_STALE_SECONDS = 60;

    /** Returns address and TCP port as in the configuration. */
    public String listenText()
    {
        return SocketAddressText.format(listen);
    }

    /** Parses as {@link ListenAddress#parse}. */
    static InetSocketAddress parseListen(final String text)
    {
        return ListenAddress.parse(text, DEFAULT_PORT);
    }
}
