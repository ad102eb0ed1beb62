/**
 * Ports to the kernel through {@code /dev/net/tun}.
 * <p>
 * {@code tun:fib0}: punted frames that cannot enter the kernel by the interface of their port enter by an IP tunnel
 * interface, without their Ethernet header. {@code tap:fib0}: Ethernet frames in both directions, as the exception path
 * of a port whose device the kernel does not see.
 */
@org.fibnuma.core.Internal
package org.fibnuma.binding.tun;
