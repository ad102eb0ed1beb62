package org.fibnuma.core.agent;

import java.util.ServiceLoader;

/** Pins threads to cores. The binding module provides it; without it threads are not pinned. */
public interface ThreadPinning
{
    /** Core number that means "do not pin". */
    int ANY_CORE = -1;

    /** Returns the provided pinning of this process, or one that does nothing. */
    static ThreadPinning load()
    {
        return ServiceLoader.load(ThreadPinning.class).findFirst().orElse(core -> false);
    }

    /**
     * Pins the calling thread to a core, numbered from 0.
     *
     * @return false if that is not possible here; the thread continues unpinned.
     */
    boolean pinCurrentThread(int core);
}
