/**
 * Where DPDK's structures have their fields, each in one class that names the header and the releases that it was read
 * from: the long-term releases 22.11, 23.11 and 24.11 as Debian builds them for x86-64 (128 cores at most, 32 ports).
 * {@link org.fibnuma.binding.dpdk.layout.DpdkRelease} is what differs between them.
 */
package org.fibnuma.binding.dpdk.layout;
