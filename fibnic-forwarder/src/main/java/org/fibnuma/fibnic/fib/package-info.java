/**
 * The forwarding table: a 22-bit-indexed table of small codes (the FIBNIC structure), a second level for prefixes
 * longer than /24, one writer and lock-free readers.
 */
package org.fibnuma.fibnic.fib;
