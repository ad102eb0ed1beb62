/**
 * The connection with one peer that uses the fibnuma format. Writes, reads and atomics take effect exactly once, and in
 * order unless they are relaxed, over a network that loses, duplicates, reorders and corrupts datagrams.
 * <pre>
 *  write, read, atomic                              onDatagram
 *          |                                            |
 *          v                                            v
 *       Sender &lt;-----acknowledgement, credits------- Session --handshake, RESET, CLOSE--&gt; Connection
 *   OpenDatagram, SendWindow,                           |                              ConnectionId
 *   RetransmitTimer, Pacer,                             v data                              |
 *   RequestTable, AwaitedWrites                      Receiver                               |
 *          |                               ReceiveWindow, Acknowledger                      |
 *          |                                            |      \                            |
 *          v                                            v       RegionInput --&gt; RegionTable  v
 *       SessionOutput &lt;---------------------------------+-----------------------------------+
 *          |
 *          v
 *    DatagramOutput
 * </pre>
 * Between two endpoints of one machine, writes pass beside the datagrams:
 * {@link org.fibnuma.ipnuma.session.DirectRings}, from Session to RegionInput.
 * <p>
 * {@link org.fibnuma.ipnuma.session.Session} has no port, reads no clock and allocates no object
 * for a datagram.
 * docs/ipnuma-protocol.md describes the datagrams byte by byte and what the session guarantees.
 */
package org.fibnuma.ipnuma.session;
