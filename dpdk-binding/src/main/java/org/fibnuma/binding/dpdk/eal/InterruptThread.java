package org.fibnuma.binding.dpdk.eal;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Calls functions of rte_ethdev.h on DPDK's interrupt thread, by its alarms. That thread calls the interrupt handlers
 * of drivers, so none of them runs meanwhile.
 */
final class InterruptThread
{
    private static final long SOON_US = 1;
    private static final long FIRST_PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long LONGEST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

    private final DpdkLibraries libraries;

    InterruptThread(final DpdkLibraries libraries)
    {
        this.libraries = libraries;
    }

    /**
     * Calls a function and waits for its end.
     *
     * @param function {@code int (*)(uint16_t port_id)} of rte_ethdev.h. It is called as {@code void (*)(void *)}: on
     *                 x86-64 and aarch64 the argument is in the same register.
     * @param port     its argument.
     * @return false if DPDK refuses the alarm, or the interrupt thread did not call the function within 10 s; it does
     * not call it later.
     */
    boolean call(final String function, final int port)
    {
        final EalLibrary eal = libraries.eal();
        final long address = libraries.address("rte_ethdev", function);
        final long deadline = System.nanoTime() + PATIENCE_NS;
        long pause = FIRST_PAUSE_NS;
        while (System.nanoTime() - deadline < 0 && eal.rte_eal_alarm_set(SOON_US, address, port) == 0)
        {
            pause(pause);
            if (eal.rte_eal_alarm_cancel(address, port) == 0)
            {
                return true;
            }
            pause = Math.min(2 * pause, LONGEST_PAUSE_NS);
        }
        return false;
    }

    /**
     * Waits for the whole time, also in an interrupted Java thread, in which parking returns at once. A shorter wait
     * would cancel most alarms before their call.
     */
    private static void pause(final long ns)
    {
        final long end = System.nanoTime() + ns;
        for (long left = ns; left > 0; left = end - System.nanoTime())
        {
            LockSupport.parkNanos(left);
        }
    }
}
