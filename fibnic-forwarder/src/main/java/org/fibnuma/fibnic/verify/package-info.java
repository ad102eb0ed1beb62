/**
 * Whether the FIB says what the kernel says now, for every address there is. Computed from a fresh dump by other means
 * than {@link org.fibnuma.fibnic.rib} follows the kernel with, so that a mistake there is found here: prefixes are
 * sorted and swept into ranges of addresses once, where the control plane changes one prefix at a time.
 */
package org.fibnuma.fibnic.verify;
