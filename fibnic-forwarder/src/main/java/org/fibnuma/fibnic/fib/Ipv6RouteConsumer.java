package org.fibnuma.fibnic.fib;

/** Receives the prefixes of an IPv6 FIB. */
@FunctionalInterface
public interface Ipv6RouteConsumer
{
    /**
     * Receives one prefix.
     *
     * @param high      first eight bytes of the address.
     * @param low       last eight bytes; the bits below the length are 0.
     * @param length    0 to 128.
     * @param adjacency index of the adjacency, 1 to 65,534.
     */
    void onRoute(long high, long low, int length, int adjacency);
}
