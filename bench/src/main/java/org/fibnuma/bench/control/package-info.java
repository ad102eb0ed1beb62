/**
 * {@code fibnuma bench control}: what changes cost the control thread under a table of the Internet's size, and how
 * long a thread that forwards is stopped meanwhile. {@link org.fibnuma.bench.control.BenchControlCommand} is the way
 * in.
 */
package org.fibnuma.bench.control;
