/** Generated rules of access lists, in the shapes of ClassBench, for benchmarks and property tests. */
package org.fibnuma.bench.acl;
