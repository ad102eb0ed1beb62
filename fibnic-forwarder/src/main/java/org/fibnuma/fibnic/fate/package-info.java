/**
 * Counters of dispositions: every received frame is forwarded, punted, consumed, held, or dropped for a named
 * {@link org.fibnuma.fibnic.fate.DropReason}. Each worker writes its {@link org.fibnuma.fibnic.fate.FateCounters}; any
 * process can read a {@link org.fibnuma.fibnic.fate.FateReport}. The control thread also reads
 * {@link org.fibnuma.fibnic.fate.PortDrops} and {@link org.fibnuma.fibnic.fate.VlanTraffic}.
 */
@org.fibnuma.core.Internal
package org.fibnuma.fibnic.fate;
