/**
 * What a port is, whatever is behind it. {@link org.fibnuma.core.port.Ports} opens one by a name such as
 * {@code xdp:eth1}; {@link org.fibnuma.core.port.RxQueue} and {@link org.fibnuma.core.port.TxQueue} carry its frames. A
 * {@link org.fibnuma.core.port.KernelPort} leads to this host's kernel where another port hides its device from it.
 */
package org.fibnuma.core.port;
