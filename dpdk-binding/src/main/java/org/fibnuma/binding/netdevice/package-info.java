/** What the kernel says of a network interface when it is asked by ioctl(2): name, addresses, state, queues. */
package org.fibnuma.binding.netdevice;
