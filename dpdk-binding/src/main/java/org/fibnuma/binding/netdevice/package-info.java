/**
 * Reads and sets properties of a network interface by ioctl(2): name, addresses, state, queues; and sends and receives
 * whole frames through a packet socket.
 */
@org.fibnuma.core.Internal
package org.fibnuma.binding.netdevice;
