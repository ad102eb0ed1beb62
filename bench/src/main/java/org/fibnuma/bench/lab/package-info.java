/**
 * What measurements and system tests share beside {@link org.fibnuma.core.netns}: the router as a process of its own,
 * counters of DPDK programs, and actions on one core.
 */
package org.fibnuma.bench.lab;
