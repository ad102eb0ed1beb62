/**
 * Field offsets of DPDK's structures, each in one class that names its header and releases: the long-term releases
 * 22.11, 23.11 and 24.11 as Debian builds them for x86-64 (at most 128 cores and 32 ports).
 * {@link org.fibnuma.binding.dpdk.layout.DpdkRelease} contains the differences between them.
 */
@org.fibnuma.core.Internal
package org.fibnuma.binding.dpdk.layout;
