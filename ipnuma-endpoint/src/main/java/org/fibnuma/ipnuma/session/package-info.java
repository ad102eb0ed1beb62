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
 * The path of a write:
 * <ol>
 * <li>{@link org.fibnuma.ipnuma.session.Session} accepts or rejects it, and connects if there is no connection.
 * <li>{@code OpenDatagram} writes it as a TLP into a slot of the {@code SendWindow}, where it stays until the peer has
 * acknowledged it. {@code Sender} stores its request tag in {@code AwaitedWrites}.
 * <li>In {@code poll}, {@code Sender} selects the datagrams that credits, congestion and losses permit.
 * <li>{@code SessionOutput} copies the slot into a frame and adds the acknowledgement for the peer.
 * <li>{@link org.fibnuma.ipnuma.session.DatagramOutput} sends it. Tests in virtual time replace it.
 * </ol>
 * Between two endpoints of one machine, {@code DirectWrites} puts the write into a ring of {@link
 * org.fibnuma.ipnuma.session.DirectRings} instead. The reader of the ring passes it to {@code RegionInput}.
 * <p>
 * {@link org.fibnuma.ipnuma.session.Session} has no port, reads no clock and allocates no object for a datagram.
 * {@code docs/ipnuma-protocol.md} describes the datagrams byte by byte and what the session guarantees.
 */
@org.fibnuma.core.Internal
package org.fibnuma.ipnuma.session;
