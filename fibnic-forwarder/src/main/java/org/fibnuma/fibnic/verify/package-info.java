/**
 * Comparison of the FIB with the kernel's tables for every address. The expected table is computed from a new dump. It
 * finds errors of {@link org.fibnuma.fibnic.rib}, because its algorithm is another one: it sorts the prefixes and
 * divides all addresses into ranges, whereas the control plane changes one prefix at a time.
 */
@org.fibnuma.core.Internal
package org.fibnuma.fibnic.verify;
