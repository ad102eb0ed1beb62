package org.fibnuma.fibnic.routes;

/** Receives the routes of a file as text, for one address family. */
interface RouteLineConsumer
{
    /** Adds a route, or counts it if it is of the other family; the next hop may be empty. */
    void announce(String prefix, String nextHop);

    /** Adds a withdrawal, or counts it if it is of the other family. */
    void withdraw(String prefix);

    /** Counts a line of another peer. */
    void skipPeer();
}
