/**
 * Ports, independent of their device. {@link org.fibnuma.core.port.Ports} opens one by a name such as {@code xdp:eth1};
 * {@link org.fibnuma.core.port.RxQueue} and {@link org.fibnuma.core.port.TxQueue} receive and send its frames;
 * {@link org.fibnuma.core.port.Port#capability} returns the methods that only some ports have. A
 * {@link org.fibnuma.core.port.KernelPort} connects this host's kernel to a port whose device the kernel does not see.
 * A {@link org.fibnuma.core.port.KernelEntry} passes frames to the kernel as if the interface of the port had received
 * them.
 */
package org.fibnuma.core.port;
