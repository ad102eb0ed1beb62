/**
 * Ways back into the kernel through {@code /dev/net/tun}.
 * <p>
 * {@code tun:fib0}: what the XDP program took but the router finds to be this host's goes to the kernel through an IP
 * tunnel interface, as if it had come in there. {@code tap:fib0}: Ethernet frames both ways, as the exception path of a
 * port whose device the kernel does not see.
 */
package org.fibnuma.binding.tun;
