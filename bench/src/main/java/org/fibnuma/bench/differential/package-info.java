/**
 * {@code fibnuma bench differential}: the kernel as the reference for what becomes of a packet. Two labs have the same
 * addresses. In one the kernel forwards alone, in the other the router runs beside it.
 * <pre>
 *  HostGenerator    -- commands --&gt; Lab, kernel     -- frames --&gt; Outcome --+--&gt; equal, or OnPurpose
 *  PacketGenerator  -- frames ----&gt; Lab, and router -- frames --&gt; Outcome --+--&gt; Shrinker --&gt; script
 * </pre>
 * {@link org.fibnuma.bench.differential.DifferentialRun} draws hosts, changes them while the router runs, and sends
 * packets between the changes. It compares every frame that leaves either lab. A difference that does not go away is
 * shrunk to the fewest commands and packets and printed as a shell script.
 * <p>
 * {@link org.fibnuma.bench.differential.FirewallRun} does the same with rulesets of
 * {@link org.fibnuma.bench.differential.FirewallGenerator} and the packets of many
 * {@link org.fibnuma.bench.differential.Connection}s, which answer what has arrived.
 */
@org.fibnuma.core.Internal
package org.fibnuma.bench.differential;
