/**
 * A memcached server on Netty, over TCP, UDP and streams of IP-NUMA at once.
 * <pre>
 *  TCP: NioServerSocketChannel -----------+
 *                                          +--&gt; ConnectionHandler --+
 *  streams: IpnumaServerSocketChannel -----+                        +--&gt; Session: a line, a data block, or keys
 *  UDP: NioDatagramChannel ---------------------&gt; DatagramHandler --+      |
 *                                                                          +--&gt; TextCommands, MetaCommands
 *                                                                          |      +--&gt; ItemStore
 *                                          channel &lt;-- ReplyBuffer &lt;-------+
 * </pre>
 * One event loop serves TCP and UDP, another one the streams. Both use one store, with a lock that a handler holds
 * while it executes the commands of one read: a command is short beside a read or write of a socket.
 */
package org.fibnuma.ipnuma.memcached.socket;
