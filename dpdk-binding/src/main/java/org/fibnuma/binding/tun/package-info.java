/**
 * A way back into the kernel, {@code tun:fib0}: what the XDP program took but the router finds to be this host's goes
 * to the kernel through an IP tunnel interface, as if it had come in there.
 */
package org.fibnuma.binding.tun;
