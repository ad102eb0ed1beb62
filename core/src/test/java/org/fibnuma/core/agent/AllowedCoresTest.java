package org.fibnuma.core.agent;

import org.junit.jupiter.api.Test;

import java.util.BitSet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

class AllowedCoresTest
{
    @Test
    void shouldReadTheKernelsList()
    {
        assertEquals("0, 1, 2, 3, 8", AllowedCores.format(AllowedCores.parse("0-3,8")));
        assertEquals("7", AllowedCores.format(AllowedCores.parse("7")));
    }

    @Test
    void shouldHaveAsManyCoresAsTheJvmSees()
    {
        final BitSet own = AllowedCores.ofThisProcess();
        assertEquals(Runtime.getRuntime().availableProcessors(), own.cardinality());
        assertFalse(own.get(1023));
    }
}
