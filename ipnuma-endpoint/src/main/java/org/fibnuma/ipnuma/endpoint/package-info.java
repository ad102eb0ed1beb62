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
 * {@link org.fibnuma.ipnuma.endpoint.Endpoint} opens all of it from a configuration and closes it again.
 */
package org.fibnuma.ipnuma.endpoint;
