/**
 * Established connections whose packets a router forwards in place of the kernel, with their address translation. The
 * control thread writes the table; the workers and the XDP programs of the ports read it.
 */
@org.fibnuma.core.Internal
package org.fibnuma.core.flow;
