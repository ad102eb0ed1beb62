package org.fibnuma.fibnic.command;

import org.fibnuma.fibnic.fate.DropReason;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ShowDropsTest
{
    private static final String LINE = System.lineSeparator();

    @Test
    void shouldBreakLinesBetweenWords()
    {
        assertEquals("  one" + LINE, ShowDrops.paragraph("one"));
        assertEquals("  " + "a".repeat(38) + " " + "b".repeat(39) + LINE + "  c" + LINE,
            ShowDrops.paragraph("a".repeat(38) + " " + "b".repeat(39) + " c"));
        assertEquals("  a" + LINE + "  " + "b".repeat(90) + LINE + "  c" + LINE,
            ShowDrops.paragraph("a " + "b".repeat(90) + " c"));
    }

    @Test
    void shouldPrintEveryReasonIn80Columns()
    {
        for (final DropReason reason : DropReason.values())
        {
            for (final String text : new String[]{reason.meaning(), reason.remedy()})
            {
                final String paragraph = ShowDrops.paragraph(text);
                assertTrue(paragraph.lines().allMatch(line -> line.length() <= 80), paragraph);
                assertEquals(text, paragraph.strip().replaceAll("\\s+", " "));
            }
        }
    }
}
