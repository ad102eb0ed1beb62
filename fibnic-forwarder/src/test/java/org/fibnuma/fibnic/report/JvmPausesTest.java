package org.fibnuma.fibnic.report;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class JvmPausesTest
{
    @Test
    void shouldTellTheLongestPauseAndWhy() throws InterruptedException
    {
        try (JvmPauses pauses = JvmPauses.start())
        {
            for (int i = 0; i < 3000 && pauses.count() == 0; i++)
            {
                System.gc();
                Thread.sleep(10);
            }
            assertTrue(pauses.count() > 0, "the collector was asked and never stopped anything");
            assertTrue(pauses.reason().contains(": "), pauses.reason());
            assertTrue(pauses.longestMs() >= 0);
        }
    }

    @Test
    void shouldCountNothingAfterItsEnd() throws InterruptedException
    {
        final JvmPauses pauses = JvmPauses.start();
        pauses.close();
        final int before = pauses.count();
        try (JvmPauses others = JvmPauses.start())
        {
            for (int i = 0; i < 3000 && others.count() == 0; i++)
            {
                System.gc();
                Thread.sleep(10);
            }
        }
        assertEquals(before, pauses.count());
    }
}
