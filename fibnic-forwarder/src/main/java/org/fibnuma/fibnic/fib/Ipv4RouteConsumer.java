package org.fibnuma.fibnic.fib;

/** Receives the prefixes of an {@link Ipv4Fib}. */
@FunctionalInterface
public interface Ipv4RouteConsumer
{
    /** Receives one prefix with the index of its adjacency, 1 to {@link Ipv4Fib#MAX_ADJACENCY}. */
    void onRoute(int prefix, int length, int adjacency);
}
