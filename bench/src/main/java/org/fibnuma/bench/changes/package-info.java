/**
 * {@code fibnuma bench changes}: measures the time from a change in the kernel's tables to the router's tables.
 * <pre>
 *   ip -batch --&gt; kernel --&gt; rtnetlink --&gt; router --&gt; FIB
 *                                            ^
 *                              lookup, again and again
 * </pre>
 */
@org.fibnuma.core.Internal
package org.fibnuma.bench.changes;
