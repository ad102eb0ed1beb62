/**
 * What becomes of frames, counted: every received frame is forwarded, punted, consumed, held or dropped for a named
 * {@link org.fibnuma.fibnic.fate.DropReason}. Workers write {@link org.fibnuma.fibnic.fate.FateCounters}; anyone reads
 * a {@link org.fibnuma.fibnic.fate.FateReport}.
 */
package org.fibnuma.fibnic.fate;
