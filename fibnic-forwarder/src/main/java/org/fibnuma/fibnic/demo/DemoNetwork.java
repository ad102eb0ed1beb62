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

    /** How frames move, as the result names it. */
    String mode();

    /** The same in a sentence. */
    String description();

    /** Sends pings from the left host. */
    EchoProber prober();

    /** Starts to send UDP from the left host as fast as one core does. */
    void startFlood();

    /**
     * Stops that and waits for it.
     *
     * @return how many frames the left host has sent.
     */
    long stopFlood();

    /** Lets time pass on both hosts; an interrupt ends it early. */
    void rest(long millis);

    /** How many frames have arrived at the right host, pings included. */
    long delivered();

    /** The router's books. */
    FateReport fates();

    /** Ends the router and lets everything go. */
    @Override
    void close();
}
