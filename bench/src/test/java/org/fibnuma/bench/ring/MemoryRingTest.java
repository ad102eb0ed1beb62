package org.fibnuma.bench.ring;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.CommandRun;
import org.fibnuma.fabric.deadlock.RingDemonstration;
import org.fibnuma.fabric.export.RoutesReader;
import org.fibnuma.fabric.export.StaticRoutes;
import org.fibnuma.fabric.tables.ForwardingTables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests a deadlock of routers, and its absence. */
class MemoryRingTest
{
    private static final int MILLIS = 1000;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {4, 6})
    void shouldStopForEverOnShortestPaths(final int routers)
    {
        final RingDemonstration ring = new RingDemonstration(routers, 2);
        final RingRun run = run(ring, ring.shortestPaths());
        assertFalse(run.isDone());
        assertEquals(0, run.dropped());
        assertEquals(0, run.deliveredAtLast());
        assertTrue(run.lastDeliveryMs() <= 200, run.toString());
        assertEquals(routers, run.waiting().size(), run.toString());
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 6})
    void shouldRunThroughWithWhatThePlanExports(final int routers) throws IOException
    {
        final RingDemonstration ring = new RingDemonstration(routers, 2);
        final ForwardingTables planned = ring.planned();
        new StaticRoutes(planned).write(folder);
        final RingRun run =
            run(ring, RoutesReader.read(planned.fabric(), folder.resolve(StaticRoutes.TOML_FOLDER)));
        assertTrue(run.isDone(), run.toString());
        assertEquals(0, run.dropped());
        assertEquals(List.of(), run.waiting());
        assertTrue(run.deliveredAtLast() > 1000, run.toString());
    }

    @Test
    void shouldSayWhichRoutersWaitForWhich()
    {
        final RingDemonstration ring = new RingDemonstration(4, 2);
        assertEquals(
            List.of(
                "S0 is stopped by S1, whose lossless buffers are full",
                "S1 is stopped by S2, whose lossless buffers are full",
                "S2 is stopped by S3, whose lossless buffers are full",
                "S3 is stopped by S0, whose lossless buffers are full"),
            run(ring, ring.shortestPaths()).waiting());
    }

    @Test
    void shouldShowBothByACommand()
    {
        final JsonNode shown = command("--routers", "--millis", "300", "--json").json();
        assertFalse(shown.path("shortestPathsDone").asBoolean());
        assertEquals(4, shown.path("shortestPathsWaiting").size());
        assertTrue(shown.path("plannedDone").asBoolean());
        command("--routers", "--switches", "3").assertRefused(2, "--switches");
    }

    private static CommandRun command(final String... options)
    {
        return CommandRun.of(new CommandLine(new RouterDeadlockCommand()), options);
    }

    private static RingRun run(final RingDemonstration ring, final ForwardingTables tables)
    {
        try (MemoryRing routers = new MemoryRing(ring, tables))
        {
            return RingRun.of(routers, tables.fabric(), MILLIS);
        }
    }
}
