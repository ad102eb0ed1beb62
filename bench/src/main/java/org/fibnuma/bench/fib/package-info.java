/**
 * {@code fibnuma bench fib}: lookups and updates per second, memory, and a check of every answer.
 * {@link org.fibnuma.bench.fib.BenchFibCommand} is the entry point.
 */
@org.fibnuma.core.Internal
package org.fibnuma.bench.fib;
