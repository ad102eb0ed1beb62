/** The cost of sealing a datagram of remote memory. */
@org.fibnuma.core.Internal
package org.fibnuma.bench.seal;
