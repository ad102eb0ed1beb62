package org.fibnuma.core.filter;

import org.fibnuma.core.UserException;

/** Compiles expressions of pcap-filter(7) for Ethernet frames. The binding module provides it. */
@FunctionalInterface
public interface FilterCompiler
{
    /**
     * Compiles an expression; any thread.
     *
     * @param expression such as {@code udp and dst net 192.0.2.0/24}; the empty one accepts every frame.
     * @return the program, which accepts whole frames.
     * @throws UserException with one line for the user where the expression is wrong or libpcap is missing.
     */
    FilterProgram compile(String expression);
}
