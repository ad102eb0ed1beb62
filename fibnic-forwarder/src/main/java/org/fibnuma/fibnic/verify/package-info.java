/**
 * Comparison of the FIB with the kernel's tables for every address. The expected table is computed from a new dump by
 * another algorithm than that of {@link org.fibnuma.fibnic.rib}, so that it finds errors there: prefixes are sorted and
 * swept into ranges of addresses, where the control plane changes one prefix at a time.
 */
package org.fibnuma.fibnic.verify;
