/**
 * The endpoint: frames in, memory written; stores out, frames sent. {@link org.fibnuma.ipnuma.endpoint.EndpointAgent}'s
 * {@code doWork} is the table of contents.
 * <pre>
 *   RxQueue --> EthernetInput --> UdpInput --> PeerChannel --> RegionTable
 *                     |                            |
 *                     v                            v
 *                  ArpInput --> StationTable   FrameOutput --> TxQueue
 *                     |              |             ^
 *                     +--> ArpOutput <             |
 *                              +-------------------+
 *
 *   clients, names <--> EndpointServices --> ClientOutlet --> PeerChannel
 * </pre>
 * {@link org.fibnuma.ipnuma.endpoint.Endpoint} opens all of it from a configuration and closes it again.
 */
package org.fibnuma.ipnuma.endpoint;
