/**
 * {@code fibnuma bench fib}: lookups and updates per second, memory, and a check of every answer.
 * {@link org.fibnuma.bench.fib.BenchFibCommand} is the entry point.
 */
package org.fibnuma.bench.fib;
