package org.fibnuma.fibnic.demo;

import org.fibnuma.fibnic.fate.FateReport;

/** Two hosts and a running router between them. For one thread. */
interface DemoNetwork extends AutoCloseable
{
    /** Address of the left host. */
    String LEFT_HOST = "10.0.0.2";
    /** Address of the router on the left host's network. */
    String ROUTER_LEFT = "10.0.0.1";
    /** Address of the router on the network of the next hops, which are numbered upwards from .1. */
    String ROUTER_RIGHT = "198.18.0.254";

    /** Returns how frames move, for the result. */
    String mode();

    /** Returns how frames move, as a sentence. */
    String description();

    /** Returns the prober, which sends pings from the left host. */
    EchoProber prober();

    /** Starts to send UDP from the left host as fast as one core does. */
    void startFlood();

    /**
     * Stops the flood and waits for its end.
     *
     * @return number of frames that the left host has sent.
     */
    long stopFlood();

    /** Waits while both hosts go on; an interrupt ends it early. */
    void rest(long millis);

    /** Returns how many frames have arrived at the right host, pings included. */
    long delivered();

    /** Returns the router's counters. */
    FateReport fates();

    /** Ends the router and releases everything. */
    @Override
    void close();
}
