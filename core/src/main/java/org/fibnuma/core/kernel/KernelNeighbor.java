package org.fibnuma.core.kernel;

import org.fibnuma.core.wire.IpAddress;

/**
 * Entry of the kernel's neighbour table.
 *
 * @param interfaceIndex index of the interface of the neighbour's link.
 * @param address        IPv4 or IPv6 address of the neighbour.
 * @param macAddress     in the format of {@link org.fibnuma.core.wire.MacAddress}; 0 if unknown.
 * @param state          group of its NUD state.
 */
public record KernelNeighbor(int interfaceIndex, IpAddress address, long macAddress, State state)
{
    /** Returns whether the MAC address is known, so that frames can be sent to the neighbour. */
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
         * Configured statically: permanent, noarp. It must not be resolved, because that removes the static state
         * (NTF_USE clears NUD_PERMANENT, net/core/neighbour.c).
         */
        PERMANENT,
        /** The kernel is resolving it: incomplete. */
        RESOLVING,
        /** Resolution failed: failed. */
        FAILED
    }
}
