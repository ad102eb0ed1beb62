/**
 * Ports, independent of their device. {@link org.fibnuma.core.port.Ports} opens one by a name such as {@code xdp:eth1};
 * {@link org.fibnuma.core.port.RxQueue} and {@link org.fibnuma.core.port.TxQueue} receive and send its frames;
 * {@link org.fibnuma.core.port.Port#capability} returns what only some ports can do. A
 * {@link org.fibnuma.core.port.KernelPort} connects this host's kernel to a port whose device it does not see; a
 * {@link org.fibnuma.core.port.KernelEntry} gives frames to the kernel by the interface of the port.
 */
package org.fibnuma.core.port;
