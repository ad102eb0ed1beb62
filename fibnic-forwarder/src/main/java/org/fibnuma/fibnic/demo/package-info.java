/**
 * {@code fibnuma demo}: a demonstration of the router that needs no set-up.
 * <pre>
 *   left host ------- router ------- right host, answers pings to every address,
 *   pings, floods     950,000 IPv4 and             counts the flood
                     200,000 IPv6 routes
 * </pre>
 * {@link org.fibnuma.fibnic.demo.Demo} runs the steps. It uses a {@link org.fibnuma.fibnic.demo.DemoNetwork}: network
 * namespaces and AF_XDP for root, otherwise memory.
 */
@org.fibnuma.core.Internal
package org.fibnuma.fibnic.demo;
