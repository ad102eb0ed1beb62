/**
 * Sockets of the JDK over the byte streams of {@link org.fibnuma.ipnuma.stream}. A program that gets its sockets from
 * factories runs unchanged.
 * <pre>
 *  Socket, ServerSocket --> IpnumaSocket, IpnumaServerSocket --> SocketDriver --> StreamAgent
 *                           (blocking, any thread)               (one lock, one thread)
 * </pre>
 */
package org.fibnuma.ipnuma.socket;
