/**
 * {@code fibnuma bench peers}: what peers that are configured and do not answer cost an endpoint with one active peer,
 * in memory, in the duration of a duty cycle, in the round trip and at the start.
 */
@org.fibnuma.core.Internal
package org.fibnuma.bench.peers;
