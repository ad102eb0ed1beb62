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
    /**
     * Whether frames can be sent to it.
     *
     * @return true where its link-layer address is known.
     */
    public boolean isUsable()
    {
        return state == State.USABLE || state == State.PERMANENT;
    }

    /** NUD states (linux/neighbour.h), as far as a forwarder cares. */
    public enum State
    {
        /** The kernel has found the address and watches over it: reachable, stale, delay, probe. */
        USABLE,
        /**
         * The address was given to the kernel: permanent, noarp. It must not be asked for, which would make the kernel
         * forget that (NTF_USE clears NUD_PERMANENT, net/core/neighbour.c).
         */
        PERMANENT,
        /** The kernel is asking: incomplete. */
        RESOLVING,
        /** It did not answer: failed. */
        FAILED
    }
}
