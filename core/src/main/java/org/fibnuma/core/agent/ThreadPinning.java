package org.fibnuma.core.agent;

import java.util.ServiceLoader;

/** Keeps a thread on one core. The binding module provides it; without it threads go where the kernel puts them. */
public interface ThreadPinning
{
    /** Core number that stands for "do not pin". */
    int ANY_CORE = -1;

    /**
     * The pinning of this process.
     *
     * @return the provided one, or one that does nothing.
     */
    static ThreadPinning load()
    {
        return ServiceLoader.load(ThreadPinning.class).findFirst().orElse(core -> false);
    }

    /**
     * Binds the calling thread to a core.
     *
     * @param core number of the core, from 0.
     * @return false where that is not possible here; the thread runs on unbound.
     */
    boolean pinCurrentThread(int core);
}
