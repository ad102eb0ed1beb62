/**
 * The switch of the pause-time paper, slot by slot, with the policies that the router uses:
 * <pre>
 *  BurstTraffic -> SourceQueues -> link, stopped by pauses -> InputQueues -> OldestFirstMatching -> outputs
 *                                        ^                        |
 *                                        +------ PausePolicy <----+
 * </pre>
 * Start with {@link org.fibnuma.pfc.simulator.PauseSimulation}. Everything is a function of the settings and the seed.
 */
package org.fibnuma.pfc.simulator;
