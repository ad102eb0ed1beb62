/**
 * A transport of Netty over the byte streams of {@link org.fibnuma.ipnuma.stream}. A Netty program runs on it with
 * another {@code IoHandlerFactory} and other channel classes.
 * <pre>
 *  IpnumaIoHandlerFactory --> SharedAgent: one StreamAgent of all event loops, one lock
 *    event loop --> IpnumaIoHandler.run --> SharedAgent.poll --> StreamAgent.doWork: stores of peers
 *                        |                                            |
 *                        |   queue of this event loop  &lt;-- IpnumaRegistration.markReady (any loop that polls)
 *                        +--> IpnumaSocketChannel, IpnumaServerSocketChannel: read, write, connect, accept
 * </pre>
 * Each event loop polls the agent between its tasks, and then serves only the channels in its own queue. An event loop
 * without work spins and yields for a short time. After that, one event loop sleeps up to 0.1 ms between polls, and the
 * others sleep until they are woken.
 */
package org.fibnuma.ipnuma.netty;
