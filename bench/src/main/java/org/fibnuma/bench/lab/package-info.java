/**
 * Classes that measurements and system tests share beside {@link org.fibnuma.core.netns}: the router as a separate
 * process, counters of DPDK programs, and actions that are pinned to a core.
 */
package org.fibnuma.bench.lab;
