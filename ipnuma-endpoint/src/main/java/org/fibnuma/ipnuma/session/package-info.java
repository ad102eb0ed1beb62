/**
 * The connection with one peer that speaks fibnuma: writes, reads and atomics go out and come in exactly once, in
 * order unless they are relaxed, over a network that loses, repeats, reorders and spoils datagrams.
 * <pre>
 *  write, read, atomic                                 onDatagram
 *          |                                               |
 *     OpenDatagram --flush--> SendWindow &lt;--acks--- Session (whose is it?) --- Connection (hellos)
 *                                 |                        |
 *                     poll: lost, then new          ReceiveWindow (whose turn is it?)
 *              RetransmitTimer, Pacer |                    |
 *                                 v                        v
 *                          SessionOutput             RegionInput --&gt; regions, answers, SessionListener
 *                                 |                        |
 *                          DatagramOutput            Acknowledger, Refusals: what is owed
 * </pre>
 * {@link org.fibnuma.ipnuma.session.Session} has no port, reads no clock and allocates nothing once it is made. The
 * README of the module has the datagrams byte by byte and says what is promised.
 */
package org.fibnuma.ipnuma.session;
