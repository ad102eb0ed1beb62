package org.fibnuma.fibnic.config;

import org.fibnuma.core.service.config.SocketAddressText;

import org.fibnuma.core.service.config.ListenAddress;

import java.net.InetSocketAddress;

/**
 * How a routing daemon hands its routes over with {@link ControlMode#FPM}.
 *
 * @param listen       address and port that the daemon connects to.
 * @param staleSeconds how long routes of an earlier connection stay after the last of them was handed over again.
 */
public record FpmConfig(InetSocketAddress listen, int staleSeconds)
{
    /** The port that zebra connects to if it is not told another (fpm/fpm.h, FRR 8.4). */
    public static final int DEFAULT_PORT = 2620;
    /** Loopback only: whoever can connect decides where frames go. */
    public static final String DEFAULT_LISTEN = "127.0.0.1:" + DEFAULT_PORT;
    /**
     * After zebra was restarted, the other daemons of FRR connect to it again within 10 s, and BGP sessions that ended
     * too are up again within about a minute.
     */
    public static final int DEFAULT_STALE_SECONDS = 60;

    /** Returns the address with its port, as in the configuration. */
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
