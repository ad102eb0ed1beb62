/**
 * {@code fibnuma ipnuma demo}: the ping-pong over each transport in turn, between two hosts of this machine.
 * <pre>
 *   host a (namespace)                     host b (namespace)
 *   PingPongCommand server -- veth pair -- PingPongCommand client      udp, udp-poll, ipnuma over AF_XDP
 *   PingPongCommand server --- /dev/shm -- PingPongCommand client      ipnuma over shared memory
 * </pre>
 */
@org.fibnuma.core.Internal
package org.fibnuma.ipnuma.demo;
