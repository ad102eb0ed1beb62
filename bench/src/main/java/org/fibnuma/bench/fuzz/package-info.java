/**
 * Hostile datagrams against the receivers of remote memory: mutated datagrams of all four formats, and random bytes.
 * After every batch, all bytes outside the regions that the source may write must be unchanged, and no answer may have
 * been larger or more frequent than permitted.
 * <pre>
 *  LegacySource, FibnumaSource -> Mutator -> LegacyFormat, FibnumaVictim -> RegionTable -> FuzzArena
 *                                        -> FuzzPort -> EndpointAgent ---------^
 * </pre>
 */
@org.fibnuma.core.Internal
package org.fibnuma.bench.fuzz;
