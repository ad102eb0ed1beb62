package org.fibnuma.core.kernel;

/**
 * A neighbour that the kernel knows, or tries to.
 *
 * @param interfaceIndex that it is behind.
 * @param address        as in {@link org.fibnuma.core.wire.Ipv4Address}.
 * @param macAddress     as in {@link org.fibnuma.core.wire.MacAddress}; 0 where unknown.
 * @param state          what can be done with it.
 */
public record KernelNeighbor(int interfaceIndex, int address, long macAddress, State state)
{
    /** NUD states (linux/neighbour.h), as far as a forwarder cares. */
    public enum State
    {
        /** The address can be used: reachable, stale, delay, probe, permanent, noarp. */
        USABLE,
        /** The kernel is asking: incomplete. */
        RESOLVING,
        /** It did not answer: failed. */
        FAILED
    }
}
