/**
 * Counters in a memory-mapped file that another process can read while they run:
 * {@link org.fibnuma.core.counter.CountersFile} writes, {@link org.fibnuma.core.counter.CountersFileReader} reads.
 */
package org.fibnuma.core.counter;
