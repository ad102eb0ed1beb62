package org.fibnuma.bench.lab;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

class MedianTest
{
    @Test
    void shouldTakeTheMiddleValue()
    {
        assertEquals(7, Median.of(List.of(7.0)));
        assertEquals(3, Median.of(List.of(9.0, 1.0, 3.0)));
    }

    @Test
    void shouldTakeTheMeanOfTheTwoMiddleValues()
    {
        assertEquals(2.5, Median.of(List.of(4.0, 1.0, 100.0, 0.5)));
    }
}
