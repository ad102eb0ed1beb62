/** Compilation of filter expressions by libpcap. */
@org.fibnuma.core.Internal
package org.fibnuma.binding.pcap;
