package org.fibnuma.binding.dpdk.eal;

import org.fibnuma.binding.dpdk.RequireDpdk;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertTrue;

class InterruptThreadTest
{
    private static final String WITHOUT_EFFECT = "rte_eth_dev_is_valid_port";
    private static final int NO_PORT = 31;

    /** The function has no effect: the test sees that it was called within the patience, and no more. */
    @Test
    void shouldCallAFunctionForAnInterruptedThread()
    {
        RequireDpdk.libraries();
        final InterruptThread interrupts = new InterruptThread(Eal.start(false).libraries());
        Thread.currentThread().interrupt();
        final boolean isCalled = interrupts.call(WITHOUT_EFFECT, NO_PORT);
        assertTrue(Thread.interrupted());
        assertTrue(isCalled);
    }
}
