/**
 * The switch of the pause-time paper, slot by slot, with the policies of the router:
 * <pre>
 *  BurstTraffic -> SourceQueues -> link, stopped by pauses -> InputQueues -> OldestFirstMatching -> outputs
 *                                        ^                        |
 *                                        +------ PausePolicy &lt;----+
 * </pre>
 * Start with {@link org.fibnuma.pfc.simulator.PauseSimulation}. Results depend on the settings and the seed only.
 */
@org.fibnuma.core.Internal
package org.fibnuma.pfc.simulator;
