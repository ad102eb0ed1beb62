/**
 * Evaluation of deadlock-free routing: the figures 21, 22 and 25 and the table 2 of Nakashima et al. (IPSJ Trans. ACS
 * 4(4), 2011), with the paper's values for comparison, and the speed of the planner compared with the paper's own loop
 * check.
 */
@org.fibnuma.core.Internal
package org.fibnuma.bench.fabric;
