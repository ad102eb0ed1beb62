/**
 * Classes that measurements and system tests share beside {@code org.fibnuma.core.service.netns}: the router as a
 * separate process, daemons of FRR, a BGP speaker, counters of DPDK programs, actions that are pinned to a core, and
 * the median of rounds.
 */
package org.fibnuma.bench.lab;
