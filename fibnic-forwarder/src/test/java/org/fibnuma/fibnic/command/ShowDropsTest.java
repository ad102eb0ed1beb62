package org.fibnuma.fibnic.command;

import org.fibnuma.core.service.command.Paragraph;
import org.fibnuma.fibnic.fate.DropReason;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ShowDropsTest
{
    @Test
    void shouldPrintEveryReasonIn80Columns()
    {
        for (final DropReason reason : DropReason.values())
        {
            for (final String text : new String[]{reason.meaning(), reason.remedy()})
            {
                final String paragraph = Paragraph.format(text);
                assertTrue(paragraph.lines().allMatch(line -> line.length() <= 80), paragraph);
                assertEquals(text, paragraph.strip().replaceAll("\\s+", " "));
            }
        }
    }
}
