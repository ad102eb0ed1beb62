/**
 * {@code fibnuma demo}: the router at work within seconds, without any set-up.
 * <pre>
 *   left host ------- router ------- right host, answers pings to every address,
 *   pings, floods     950,000 routes               counts the flood
 * </pre>
 * {@link org.fibnuma.fibnic.demo.Demo} is the course of events. It runs on a
 * {@link org.fibnuma.fibnic.demo.DemoNetwork}: network namespaces and AF_XDP for root, otherwise memory alone.
 */
package org.fibnuma.fibnic.demo;
