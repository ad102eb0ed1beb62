/**
 * {@code fibnuma bench pingpong}: the ping-pong over every transport beside Aeron's IPC and beside one cache line that
 * goes there and back between the same two cores, which is the limit of the machine.
 * <pre>
 *   PingPongBenchCommand -- PingPongRun (of ipnuma, two processes): udp, udp-poll, AF_XDP, memif, shared memory
 *                           and through a RouterChain: udp, udp-poll, AF_XDP
 *                        -- PeerProgram (a process with two threads): CacheLineLink, AeronLink
 * </pre>
 * All use the loops of {@code fibnuma pingpong}, which read the clock once for each round trip.
 */
@org.fibnuma.core.Internal
package org.fibnuma.bench.pingpong;
