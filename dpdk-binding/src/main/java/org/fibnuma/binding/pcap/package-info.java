/** Compilation of filter expressions by libpcap. */
package org.fibnuma.binding.pcap;
