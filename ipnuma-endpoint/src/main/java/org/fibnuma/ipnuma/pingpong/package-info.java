/**
 * The program of the thesis's measurements: a counter is sent to another host and back, by remote memory or by sockets.
 * <pre>
 *   ClientCommand -- PingPongClient -- CounterLink ~~~ CounterLink -- PingPongServer -- ServerCommand
 * </pre>
 * The two loops are the same for every transport. {@link org.fibnuma.ipnuma.pingpong.PingPongResult} prints the result.
 */
@org.fibnuma.core.Internal
package org.fibnuma.ipnuma.pingpong;
