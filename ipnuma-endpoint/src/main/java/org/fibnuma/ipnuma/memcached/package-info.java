/** {@code fibnuma memcached}: a memcached server over TCP, UDP and streams of IP-NUMA at once. */
@org.fibnuma.core.Internal
package org.fibnuma.ipnuma.memcached;
