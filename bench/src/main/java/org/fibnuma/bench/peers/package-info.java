/**
 * {@code fibnuma bench peers}: measures what idle peers cost an endpoint with one active peer. An idle peer is
 * configured and does not answer. It costs memory, and time in each duty cycle, in the round trip and at the start.
 */
@org.fibnuma.core.Internal
package org.fibnuma.bench.peers;
