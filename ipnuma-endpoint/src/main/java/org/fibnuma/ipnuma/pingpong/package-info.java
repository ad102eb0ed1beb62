/**
 * The program that the thesis is measured by: a counter goes to the other side and back, by memory or by sockets.
 * <pre>
 *   ClientCommand -- PingPongClient -- CounterLink ~~~ CounterLink -- PingPongServer -- ServerCommand
 * </pre>
 * Whatever the transport, the two loops are the same; {@link org.fibnuma.ipnuma.pingpong.PingPongResult} prints what
 * came out.
 */
package org.fibnuma.ipnuma.pingpong;
