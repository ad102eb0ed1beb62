package org.fibnuma.core.kernel;

import org.fibnuma.core.UserException;

import java.util.Set;

/** Reads the kernel's policy for packets that it forwards, and detects changes. Control thread only. */
public interface KernelPolicy extends AutoCloseable
{
    /**
     * Handles pending notifications without blocking.
     *
     * @param nowMs time of any clock in ms; settings without notifications are read again once a second.
     * @return whether {@link #read} may return another result than the last time.
     * @throws UserException if the connection to the kernel is broken.
     */
    boolean poll(long nowMs);

    /**
     * Reads the policy: all of it the first time, then what may have changed.
     *
     * @param interfaces indices of the receiving interfaces.
     * @throws UserException with one line for the user if the kernel refuses.
     */
    HostPolicy read(Set<Integer> interfaces);

    /**
     * Leaves a table of nftables that this process has made out of the policy from now on.
     *
     * @param table  name, in family inet.
     * @param portId of the netlink socket that changes the table; its changes are none of the host.
     */
    void leaveOut(String table, int portId);

    @Override
    void close();
}
