/**
 * The three tables of the thesis (section 3.3): which remote page a local page leads to, how a peer is reached, and
 * what of this machine's memory others may touch. All are written and read on the endpoint's thread alone.
 */
package org.fibnuma.ipnuma.table;
