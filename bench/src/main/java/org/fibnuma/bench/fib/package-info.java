/**
 * {@code fibnuma bench fib}: lookups and updates a second, memory, and whether every answer is right.
 * {@link org.fibnuma.bench.fib.BenchFibCommand} is the way in.
 */
package org.fibnuma.bench.fib;
