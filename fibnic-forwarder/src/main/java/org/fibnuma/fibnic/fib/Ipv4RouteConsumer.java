package org.fibnuma.fibnic.fib;

/** Receives routes one by one. */
@FunctionalInterface
public interface Ipv4RouteConsumer
{
    /**
     * One route.
     *
     * @param prefix    address whose bits below the length are 0.
     * @param length    0 to 32.
     * @param adjacency that its frames leave by, 1 to 65,534.
     */
    void onRoute(int prefix, int length, int adjacency);
}
