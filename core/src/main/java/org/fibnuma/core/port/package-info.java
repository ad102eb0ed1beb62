/**
 * What a port is, whatever is behind it. {@link org.fibnuma.core.port.Ports} opens one by a name such as
 * {@code xdp:eth1}; {@link org.fibnuma.core.port.RxQueue} and {@link org.fibnuma.core.port.TxQueue} carry its frames.
 */
package org.fibnuma.core.port;
