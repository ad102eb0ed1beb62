package org.fibnuma.core.service.command;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class ParagraphTest
{
    private static final String LINE = System.lineSeparator();

    @Test
    void shouldBreakLinesBetweenWords()
    {
        assertEquals("  one" + LINE, Paragraph.format("one"));
        assertEquals("  " + "a".repeat(38) + " " + "b".repeat(39) + LINE + "  c" + LINE,
            Paragraph.format("a".repeat(38) + " " + "b".repeat(39) + " c"));
        assertEquals("  a" + LINE + "  " + "b".repeat(90) + LINE + "  c" + LINE,
            Paragraph.format("a " + "b".repeat(90) + " c"));
    }
}
