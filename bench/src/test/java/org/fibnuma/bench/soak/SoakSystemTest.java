package org.fibnuma.bench.soak;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.CommandRun;
import org.fibnuma.bench.lab.NamespaceTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(600)
@NamespaceTest({"nft", "conntrack"})
class SoakSystemTest
{
    private static final List<String> NUMBERS = List.of(
        "sent", "received", "connections", "routeChanges", "ruleChanges", "reloads", "captures", "portChanges");

    @Test
    void shouldFindNothingWrong()
    {
        final CommandRun run = CommandRun.bench("soak", "--minutes", "0.5", "--seed", "7", "--json");

        final JsonNode result = run.json();
        assertTrue(run.errors().contains("seed 7"), run.errors());
        assertEquals(0.5, result.get("minutes").asDouble());
        assertEquals(7, result.get("seed").asLong());
        NUMBERS.forEach(name -> assertTrue(result.get(name).asLong() > 0, name + " in " + result));
        for (final String name : List.of("unexplained", "wrongNextHop", "connectionsLost"))
        {
            assertEquals(0, result.get(name).asLong(), name);
        }
        final long lost = result.get("sent").asLong() - result.get("received").asLong();
        long explained = 0;
        for (final JsonNode count : result.get("explained"))
        {
            explained += count.asLong();
        }
        assertTrue(explained >= lost, result::toString);
        for (final String moment : List.of("before", "after"))
        {
            for (final String name : List.of("heapBytes", "rssBytes", "descriptors", "threads"))
            {
                assertTrue(result.get("growth").get(moment).get(name).asLong() > 0, name);
            }
        }
        assertTrue(result.get("verify").asBoolean());
        assertEquals(0, result.get("failures").size());
        assertTrue(result.has("machine"));
    }

    @Test
    void shouldRefuseToDoNothing()
    {
        CommandRun.bench("soak", "--minutes", "0").assertRefused(2, "--minutes must be");
    }
}
