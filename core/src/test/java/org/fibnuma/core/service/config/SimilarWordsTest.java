package org.fibnuma.core.service.config;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

class SimilarWordsTest
{
    private static final List<String> KNOWN = List.of("name", "names", "address", "idle", "rx-ring-size");

    @ParameterizedTest
    @CsvSource(textBlock = """
        nmae, name
        nam, name
        namess, 'names, name'
        adress, address
        rx_ring_size, rx-ring-size
        idel, idle
        speed, ''
        x, ''
        """)
    void shouldFindWhatWasProbablyMeant(final String word, final String expected)
    {
        assertEquals(expected, String.join(", ", SimilarWords.of(word, KNOWN)));
    }
}
