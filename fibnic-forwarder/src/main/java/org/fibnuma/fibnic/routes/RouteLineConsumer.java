package org.fibnuma.fibnic.routes;

/** Receives the routes of a file as text. */
interface RouteLineConsumer
{
    /** Adds a route, or counts it as skipped if its family is not read; the next hop may be empty. */
    void announce(String prefix, String nextHop);

    /** Adds a withdrawal, or counts it as skipped if its family is not read. */
    void withdraw(String prefix);

    /** Counts a line of a peer that is not read. */
    void skipPeer();
}
