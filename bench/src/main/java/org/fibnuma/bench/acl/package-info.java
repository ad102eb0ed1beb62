/** Generated rules of access lists, in the shapes of ClassBench, for benchmarks and property tests. */
@org.fibnuma.core.Internal
package org.fibnuma.bench.acl;
