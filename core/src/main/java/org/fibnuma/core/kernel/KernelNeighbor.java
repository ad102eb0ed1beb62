package org.fibnuma.core.kernel;

import org.fibnuma.core.wire.IpAddress;

/**
 * Entry of the kernel's neighbour table.
 *
 * @param interfaceIndex index of the interface that the neighbour is reached through.
 * @param address        IPv4 or IPv6 address of the neighbour.
 * @param macAddress     in the format of {@link org.fibnuma.core.wire.MacAddress}; 0 if unknown.
 * @param state          whether and how the neighbour can be used.
 */
public record KernelNeighbor(int interfaceIndex, IpAddress address, long macAddress, State state)
{
    /** Returns whether frames can be sent to the neighbour, which means that its MAC address is known. */
    public boolean isUsable()
    {
        return state == State.USABLE || state == State.PERMANENT;
    }

    /** Groups of NUD states (linux/neighbour.h). */
    public enum State
    {
        /** Resolved and monitored by the kernel: reachable, stale, delay, probe. */
        USABLE,
        /**
         * Configured statically: permanent, noarp. It must not be resolved, which would make the kernel drop the static
         * state (NTF_USE clears NUD_PERMANENT, net/core/neighbour.c).
         */
        PERMANENT,
        /** Being resolved by the kernel: incomplete. */
        RESOLVING,
        /** Resolution failed: failed. */
        FAILED
    }
}
