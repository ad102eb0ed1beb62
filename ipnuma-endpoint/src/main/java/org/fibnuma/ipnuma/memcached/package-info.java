/** {@code fibnuma memcached}: a memcached server over TCP, UDP and streams of IP-NUMA at once. */
package org.fibnuma.ipnuma.memcached;
