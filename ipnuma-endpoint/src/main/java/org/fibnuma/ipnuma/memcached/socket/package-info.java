/**
 * A memcached server over TCP, UDP and streams of IP-NUMA at once.
 * <pre>
 *  TCP: NioServerSocketChannel ---&gt; ConnectionHandler --+
 *  UDP: NioDatagramChannel -------&gt; DatagramHandler ----+--&gt; Session: a line, a data block, or keys
 *  streams: StreamServer ---------&gt; StreamConnection ---+      |
 *                                                              +--&gt; TextCommands, MetaCommands
 *                                                              |      +--&gt; ItemStore
 *                              channel &lt;-- ReplyBuffer &lt;-------+
 * </pre>
 * An event loop of Netty serves TCP and UDP. Streams have a separate thread without Netty: its work for a read and a
 * write takes longer there than the GET. Both use one store, with a lock that a handler holds while it executes the
 * commands of one read. A command is short compared with a read or write of a socket.
 */
@org.fibnuma.core.Internal
package org.fibnuma.ipnuma.memcached.socket;
