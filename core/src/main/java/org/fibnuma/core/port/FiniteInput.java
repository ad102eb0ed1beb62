package org.fibnuma.core.port;

/** Capability of a port whose input ends, such as a capture file. */
public interface FiniteInput
{
    /** Returns whether the port has received its last frame; any thread. */
    boolean exhausted();
}
