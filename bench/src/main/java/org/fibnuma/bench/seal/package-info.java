/** What it costs to seal a datagram of remote memory, here and with the JVM's own GCM. */
package org.fibnuma.bench.seal;
