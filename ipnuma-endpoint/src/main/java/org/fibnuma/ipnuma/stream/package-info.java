/**
 * Byte streams over remote memory. A program has one region with a fixed number of slots. Each connection uses one slot
 * of each program. The sender stores into the receiver's region, and each program polls only its own region.
 * <pre>
 *  program A                                                     program B
 *    StreamChannel.write == payload ===========================&gt; ring of B's slot     --&gt; StreamChannel.read
 *                        == SlotHeader: written, ending =======&gt; header of B's slot
 *                        == ready byte, summary byte ==========&gt; StreamAgent.doWork finds the slot
 *    header of A's slot  &lt;== SlotHeader: consumed ============== StreamChannel.read
 *
 *  region (StreamLayout): summary bytes | hello slots | ready bytes | headers | rings
 * </pre>
 * The stores of a step take effect in this order, so that a position is visible after its bytes and a ready byte after
 * the position. One summary byte represents 64 ready bytes. The agent visits only marked connections.
 * <p>
 * Life of a connection:
 * <pre>
 *  Connector (A)                                                 HelloSlots (B)
 *    read PortEntry of the port  ------------------------------&gt; PortRegion of B's endpoint
 *       none: ConnectException
 *    compare and swap a hello slot ----------------------------&gt; claimed
 *    HelloRecord: region, slot and tag of A -------------------&gt; StreamAcceptor: backlog
 *    header of A's slot  &lt;-------------------------------------- Answer: slot and tag of B, or a refusal
 *    open  &lt;===================== data both ways ===============&gt; open
 *    finish: FINISHED  ----------------------------------------&gt; read returns -1 after the last byte
 *    close: FINISHED, DONE  -----------------------------------&gt; writes fail; B stores DONE and nothing more
 *    reset: RESET, DONE  --------------------------------------&gt; reads and writes fail; B stores DONE
 *    slot free &lt;--- DONE of both sides and close of the owner --&gt; slot free
 * </pre>
 * Everything that a peer stores is checked: positions against the capacity and earlier positions, slot tags, slots,
 * ports and layouts. An impossible value resets only its connection, and is counted in {@link
 * org.fibnuma.ipnuma.stream.StreamCounter}. Stores to one program use a {@code Link}, which limits the unanswered
 * stores. An answer shows that the program has ended. The link also fails its connections when the peer is down. Where
 * stores pass by memory, a short message and its marks are one list of stores.
 */
package org.fibnuma.ipnuma.stream;
