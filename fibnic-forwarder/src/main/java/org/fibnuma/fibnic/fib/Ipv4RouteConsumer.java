package org.fibnuma.fibnic.fib;

/** Receives the prefixes of a FIB. */
@FunctionalInterface
public interface Ipv4RouteConsumer
{
    /**
     * Receives one prefix.
     *
     * @param prefix    address whose bits below the length are 0.
     * @param length    0 to 32.
     * @param adjacency index of the adjacency, 1 to 65,534.
     */
    void onRoute(int prefix, int length, int adjacency);
}
