package org.fibnuma.binding.libc;

import org.fibnuma.core.agent.ThreadPinning;

/** Pins threads by sched_setaffinity(2). */
public final class AffinityPinning implements ThreadPinning
{
    /** Bytes of glibc's cpu_set_t (sched.h): 1,024 cores. */
    private static final int CPU_SET_SIZE = 128;

    @Override
    public boolean pinCurrentThread(final int core)
    {
        if (core < 0 || core >= CPU_SET_SIZE * Byte.SIZE)
        {
            return false;
        }
        try (StructMemory mask = new StructMemory(CPU_SET_SIZE))
        {
            final int word = core / Long.SIZE * Long.BYTES;
            mask.putLong(word, 1L << core);
            return LibC.get().sched_setaffinity(0, CPU_SET_SIZE, mask.address()) == 0;
        }
    }
}
