package org.fibnuma.fibnic.fib;

/** Receives the prefixes of an {@link Ipv6Fib}. */
@FunctionalInterface
public interface Ipv6RouteConsumer
{
    /** Receives one prefix with the index of its adjacency, 1 to {@link Ipv4Fib#MAX_ADJACENCY}. */
    void onRoute(long high, long low, int length, int adjacency);
}
