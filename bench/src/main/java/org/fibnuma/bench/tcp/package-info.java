/**
 * {@code fibnuma bench tcp}: measures TCP between two hosts on veth pairs through the router and through the kernel's
 * own forwarding, with the kernel's default offloads.
 * <pre>
 *   left h0 ==== r0 router r1 ==== h0 right
 *   iperf3 -c                      iperf3 -s
 * </pre>
 */
@org.fibnuma.core.Internal
package org.fibnuma.bench.tcp;
