/**
 * {@code fibnuma bench rfc2544}: a tester for routers after RFC 2544, with RFC 9004's bursts.
 * <pre>
 *   TestStream -- left link -->  device under test  -- right link --> Tester
 *   one core of the tester       another core                         the same core
 * </pre>
 * A {@link org.fibnuma.bench.rfc2544.TestRig} has the links and the devices. For each kind of frames
 * {@link org.fibnuma.bench.rfc2544.Benchmark} chooses the rates of the trials that
 * {@link org.fibnuma.bench.rfc2544.Tester} runs.
 */
@org.fibnuma.core.Internal
package org.fibnuma.bench.rfc2544;
