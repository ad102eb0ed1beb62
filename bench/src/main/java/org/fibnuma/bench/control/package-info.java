/**
 * {@code fibnuma bench control}: measures what changes cost the control thread under a table of the Internet's size,
 * and for how long they stop a thread that looks up addresses.
 * {@link org.fibnuma.bench.control.BenchControlCommand} is the entry point.
 */
@org.fibnuma.core.Internal
package org.fibnuma.bench.control;
