/**
 * Hostile datagrams against the receivers of remote memory: valid ones of all four formats, changed at random, and
 * random bytes. After every batch each byte outside the regions that its source may write is as it was, and no answer
 * was larger or came more often than it may.
 * <pre>
 *  LegacySource, FibnumaSource -> Mutator -> LegacyVictim, FibnumaVictim -> RegionTable -> FuzzArena
 *                                        -> FuzzPort -> EndpointAgent ---------^
 * </pre>
 */
package org.fibnuma.bench.fuzz;
