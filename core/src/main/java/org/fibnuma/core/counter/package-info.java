/** Counters in a memory-mapped file that another process can read while they run. */
package org.fibnuma.core.counter;
