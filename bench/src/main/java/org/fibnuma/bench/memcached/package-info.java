/**
 * {@code fibnuma bench memcached}: the thesis's workload (section 6.5), one command at a time, against Debian's
 * memcached over sockets and against Fibnuma's server over sockets and over streams of remote memory, with or without
 * routers between them.
 * <pre>
 *   MemcachedBenchCommand -- MemcachedRun (a server and a client, processes): memcached, ipnuma's MemcachedCommand
 *                                                                            ClientProgram -- Workload, SocketLink
 * </pre>
 */
@org.fibnuma.core.Internal
package org.fibnuma.bench.memcached;
