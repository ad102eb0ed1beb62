/** The cost of sealing a datagram of remote memory. */
package org.fibnuma.bench.seal;
