package org.fibnuma.ipnuma.session;

/**
 * A peer that may be at the other end of a link in shared memory.
 *
 * @param rings    of the endpoint's port.
 * @param ipv4     address of the peer.
 * @param activity called by the endpoint's thread for every refused write, and for the first write in either direction
 *                 after {@link Session#onPublished()}.
 */
public record DirectPeer(DirectRings rings, int ipv4, Runnable activity)
{
}
