/**
 * {@code fibnuma bench stream}: the echo of Netty and the throughput of byte streams over remote memory, beside TCP
 * over the loopback and over the same veth pair.
 * <pre>
 *   StreamBenchCommand -- StreamRun (a server and a client, processes): stream.netty.EchoProgram
 *                      |                                                TransferProgram -- PolledStream, SocketChannel
 *                      +- StreamComparison: medians and ratios of several rounds
 * </pre>
 */
@org.fibnuma.core.Internal
package org.fibnuma.bench.stream;
