/**
 * The endpoint writes received data into regions and sends the writes of applications. Start reading at {@code doWork}
 * of {@link org.fibnuma.ipnuma.endpoint.EndpointAgent}; {@link org.fibnuma.ipnuma.endpoint.Endpoint} opens all of it
 * from a configuration and closes it again.
 * <pre>
 *   RxQueue --> EthernetInput --> UdpInput --> PeerChannel --> RegionTable
 *                     |                            |
 *                     v                            v
 *                  ArpInput --> ArpTable   FrameOutput --> TxQueue
 *                     |              |             ^
 *                     +--> ArpOutput &lt;             |
 *                              +-------------------+
 *
 *   clients, names &lt;--> EndpointServices --> PeerChannel
 * </pre>
 * The path of a write to a peer with the fibnuma format:
 * <ol>
 * <li>{@link org.fibnuma.ipnuma.window.PageWindow} gathers a cache line of an application on this thread. Or a client
 * puts a record into its ring ({@link org.fibnuma.ipnuma.client.EndpointClient}), and {@code ClientRequests} executes
 * it ({@link org.fibnuma.ipnuma.client.host.ClientRings}).
 * <li>Both call a {@link org.fibnuma.ipnuma.channel.PeerChannel}. {@code FibnumaChannel} makes the peer ready in the
 * {@code PeerSchedule}.
 * <li>{@link org.fibnuma.ipnuma.session.Session} keeps the write until the peer has acknowledged it. It writes the
 * datagram in {@code flush} or in a later duty cycle; the package {@code session} lists the steps. Between two
 * endpoints of one machine the path ends here, in a ring of shared memory.
 * <li>{@link org.fibnuma.ipnuma.seal.SealedOutput} seals the datagram if the peer has a key.
 * <li>{@code PeerOutput} adds the headers of the frame.
 * <li>{@code FrameOutput} pads and counts the frame and passes it to the {@link org.fibnuma.core.port.TxQueue}.
 * </ol>
 * A peer with a format of the prototypes has an {@code UnreliableChannel}, which writes directly into the {@code
 * PeerOutput}.
 */
package org.fibnuma.ipnuma.endpoint;
