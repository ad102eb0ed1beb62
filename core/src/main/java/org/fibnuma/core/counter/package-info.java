/**
 * Counters in a memory-mapped file that another process can read while they run:
 * {@link org.fibnuma.core.counter.CountersFile} writes, {@link org.fibnuma.core.counter.CountersFileReader} reads.
 */
@org.fibnuma.core.Internal
package org.fibnuma.core.counter;
