/**
 * {@code pcap:} ports: frames from and to capture files.
 * <pre>
 *  file -> CaptureStream -> PcapFormat | PcapngFormat -> PcapReader -> PcapRxQueue
 *                                                 file &lt;- PcapWriter &lt;- PcapTxQueue
 * </pre>
 * {@link org.fibnuma.core.port.pcap.PcapReader} can also be used alone, and
 * {@link org.fibnuma.core.port.pcap.PcapngWriter} writes frames of several interfaces. The content of a file is not
 * trusted: every size is validated before it is used, and reading ends at the first invalid byte.
 */
@org.fibnuma.core.Internal
package org.fibnuma.core.port.pcap;
