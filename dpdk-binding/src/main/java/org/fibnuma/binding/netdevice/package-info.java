/** Reads and sets properties of a network interface by ioctl(2): name, addresses, state, queues. */
package org.fibnuma.binding.netdevice;
