/**
 * Ways back into the kernel through {@code /dev/net/tun}.
 * <p>
 * {@code tun:fib0}: frames that the router punts and that cannot enter the kernel by the interface of their port enter
 * by an IP tunnel interface, without their Ethernet header. {@code tap:fib0}: Ethernet frames both ways, as the
 * exception path of a port whose device the kernel does not see.
 */
package org.fibnuma.binding.tun;
