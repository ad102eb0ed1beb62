package org.fibnuma.fibnic.routes;

/** Receives the routes of a file as text. */
interface RouteLineConsumer
{
    /** Adds a route, or counts it if its family is not wanted; the next hop may be empty. */
    void announce(String prefix, String nextHop);

    /** Adds a withdrawal, or counts it if its family is not wanted. */
    void withdraw(String prefix);

    /** Counts a line of another peer. */
    void skipPeer();
}
