package org.fibnuma.bench.system;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.CommandLineOutput;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What {@code fibnuma show drops --json} says: how many frames met which fate. Drops are named by their reason.
 *
 * @param counts   by name; a difference holds only what changed.
 * @param balanced whether received frames and fates add up.
 * @param known    false where the kernel forwards, which keeps no such books.
 */
record Fates(Map<String, Long> counts, boolean balanced, boolean known)
{
    /** What is counted beside them: duty cycles, and frames by class and family that have a fate too. */
    private static final Set<String> NO_FATES =
        Set.of("polls", "idlePolls", "exceptions", "ipv4", "ipv4Forwarded", "ipv6Forwarded");

    static Fates unknown()
    {
        return new Fates(Map.of(), true, false);
    }

    static Fates read(final String routerName)
    {
        final JsonNode json = CommandLineOutput.json("show", "drops", "--name", routerName);
        final Map<String, Long> counts = new TreeMap<>();
        json.properties().forEach(field ->
        {
            if (field.getValue().isIntegralNumber() && !NO_FATES.contains(field.getKey()))
            {
                counts.put(field.getKey(), field.getValue().asLong());
            }
        });
        json.get("drops").forEach(drop -> counts.put(drop.get("reason").asText(), drop.get("frames").asLong()));
        return new Fates(counts, json.get("balanced").asBoolean(), true);
    }

    Fates since(final Fates before)
    {
        final Map<String, Long> difference = new TreeMap<>(counts);
        before.counts.forEach((name, count) -> difference.merge(name, -count, Long::sum));
        difference.values().removeIf(count -> count == 0);
        return new Fates(difference, balanced, known);
    }

    long count(final String name)
    {
        return counts.getOrDefault(name, 0L);
    }
}
