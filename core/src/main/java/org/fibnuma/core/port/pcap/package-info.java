/** {@code pcap:} ports: frames from and to capture files. */
package org.fibnuma.core.port.pcap;
