/**
 * {@code pcap:} ports: frames from and to capture files.
 * <pre>
 *  file -> CaptureStream -> PcapFormat | PcapngFormat -> PcapReader -> PcapRxQueue
 *                                                 file <- PcapWriter <- PcapTxQueue
 * </pre>
 * {@link org.fibnuma.core.port.pcap.PcapReader} is also of use by itself. What a file says is never believed: sizes
 * are checked before anything is read by them, and a damaged file ends where the damage begins.
 */
package org.fibnuma.core.port.pcap;
