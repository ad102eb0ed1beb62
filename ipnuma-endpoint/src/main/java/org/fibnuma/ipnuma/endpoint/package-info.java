/**
 * The endpoint writes received data into regions and sends the writes of applications. Start reading at {@code doWork}
 * of {@link org.fibnuma.ipnuma.endpoint.EndpointAgent}.
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
 * {@code FibnumaChannel} and {@code UnreliableChannel} are the channels of peers; each sends through a
 * {@code PeerOutput} into the {@code FrameOutput}. {@code PeerSchedule} decides which of them a duty cycle polls.
 * {@link org.fibnuma.ipnuma.endpoint.Endpoint} opens all of it from a configuration and closes it again.
 */
package org.fibnuma.ipnuma.endpoint;
