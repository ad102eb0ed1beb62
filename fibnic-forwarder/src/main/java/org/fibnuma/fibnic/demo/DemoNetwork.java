package org.fibnuma.fibnic.demo;

import org.fibnuma.core.traffic.HostFrames;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.UdpHeaderFlyweight;
import org.fibnuma.fibnic.fate.FateReport;

/** Two hosts and a running router between them. For one thread. */
interface DemoNetwork extends AutoCloseable
{
    /** Addresses of the left host. */
    String LEFT_HOST = "10.0.0.2";
    String LEFT_HOST_IPV6 = "2001:db8::2";
    /** Addresses of the router on the left host's network. */
    String ROUTER_LEFT = "10.0.0.1";
    String ROUTER_LEFT_IPV6 = "2001:db8::1";
    /** Addresses of the router on the network of the next hops, which have addresses from .1 and ::1 upwards. */
    String ROUTER_RIGHT = "198.18.0.254";
    String ROUTER_RIGHT_IPV6 = "2001:2::fe";
    /** Prefix lengths of both networks. */
    String LENGTH = "/24";
    String LENGTH_IPV6 = "/64";
    /** Length of every frame that the left host sends, in bytes: the shortest for UDP over IPv6. */
    int FRAME_LENGTH = HostFrames.IPV6_PAYLOAD_OFFSET + UdpHeaderFlyweight.LENGTH;

    /** Returns how frames move, for the result. */
    String mode();

    /** Returns how frames move, as a sentence. */
    String description();

    /** Returns the prober, which sends pings from the left host. */
    EchoProber prober();

    /**
     * Starts to send UDP from the left host at the rate that one core reaches.
     *
     * @param destinations one frame is sent to each in turn.
     */
    void startFlood(IpAddress[] destinations);

    /**
     * Stops the flood and waits for its end.
     *
     * @return number of frames that the left host has sent.
     */
    long stopFlood();

    /** Waits a number of milliseconds while both hosts continue; an interrupt ends it early. */
    void rest(long millis);

    /** Returns the number of frames that the right host has received, pings included. */
    long delivered();

    /** Returns the router's counters. */
    FateReport fates();

    /** Stops the router and releases all resources. */
    @Override
    void close();
}
