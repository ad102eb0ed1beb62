package org.fibnuma.core.service.log;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RecentLinesTest
{
    private static final Logger LOGGER = LoggerFactory.getLogger(RecentLinesTest.class);

    private static ArrayNode rows(final RecentLines lines)
    {
        final ArrayNode rows = JsonNodeFactory.instance.arrayNode();
        lines.format(rows);
        return rows;
    }

    @Test
    void shouldKeepTheLastLinesWithTheNewestFirst()
    {
        LOGGER.warn("before it keeps any");
        try (RecentLines lines = RecentLines.keep())
        {
            assertEquals(0, rows(lines).size());
            final long before = System.currentTimeMillis();
            for (int i = 0; i < RecentLines.LINES + 3; i++)
            {
                LOGGER.warn("carrier of eth{} lost", i);
            }
            LOGGER.debug("below the level");
            assertEquals(RecentLines.LINES, rows(lines).size());
            assertEquals("carrier of eth22 lost", rows(lines).get(0).get("text").asText());
            assertEquals(RecentLines.LINES + 3, rows(lines).get(0).get("number").asInt());
            assertEquals("WARN", rows(lines).get(0).get("level").asText());
            assertEquals("carrier of eth3 lost", rows(lines).get(RecentLines.LINES - 1).get("text").asText());
            final long timeMs = rows(lines).get(0).get("timeMs").asLong();
            assertTrue(before <= timeMs && timeMs <= System.currentTimeMillis());
        }
    }

    @Test
    void shouldCutALineThatIsTooLong()
    {
        try (RecentLines lines = RecentLines.keep())
        {
            LOGGER.error("x".repeat(RecentLines.LONGEST + 1));
            assertEquals("x".repeat(RecentLines.LONGEST) + "...", rows(lines).get(0).get("text").asText());
        }
    }

    @Test
    void shouldKeepNothingAfterItsEnd()
    {
        final RecentLines lines = RecentLines.keep();
        lines.close();
        LOGGER.warn("after its end");
        assertEquals(0, rows(lines).size());
    }
}
