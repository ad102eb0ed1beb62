package org.fibnuma.core.agent;

import java.util.ServiceLoader;

/** Pins threads to cores. The binding module implements it; without that module threads are not pinned. */
public interface ThreadPinning
{
    /** Core number that means "do not pin". */
    int ANY_CORE = -1;

    /** Returns the provided pinning of this process, or one that does nothing. */
    static ThreadPinning load()
    {
        return ServiceLoader.load(ThreadPinning.class).findFirst().orElse(core -> false);
    }

    /** Pins the calling thread to a core, numbered from 0; returns false if that is not possible. */
    boolean pinCurrentThread(int core);
}
