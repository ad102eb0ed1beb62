/** What it costs to seal a datagram of remote memory. */
package org.fibnuma.bench.seal;
