/**
 * {@code fibnuma bench tcp}: how much TCP two hosts on veth pairs get through the router, beside the kernel's own
 * forwarding, with all offloads as the kernel sets them.
 * <pre>
 *   left h0 ==== r0 router r1 ==== h0 right
 *   iperf3 -c                      iperf3 -s
 * </pre>
 */
package org.fibnuma.bench.tcp;
