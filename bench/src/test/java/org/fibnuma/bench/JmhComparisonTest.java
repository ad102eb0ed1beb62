package org.fibnuma.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.bench.lab.CommandRun;
import org.fibnuma.core.UserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class JmhComparisonTest
{
    private static final String AVERAGE = "avgt";

    @Test
    void shouldFindWhatIsSlowerByMoreThanBothErrors() throws IOException
    {
        assertEquals(Set.of(), slower(AVERAGE, 10, 1, 11.9, 1));
        assertEquals(Set.of("C.m avgt size=64"), slower(AVERAGE, 10, 1, 12.1, 1));
        assertEquals(Set.of(), slower(AVERAGE, 10, 1, 5, 1));
    }

    @Test
    void shouldTakeLowerThroughputForSlower() throws IOException
    {
        assertEquals(Set.of("C.m thrpt size=64"), slower("thrpt", 10, 1, 7.9, 1));
        assertEquals(Set.of(), slower("thrpt", 10, 1, 20, 1));
    }

    @Test
    void shouldRefuseWhatCannotBeCompared() throws IOException
    {
        final JsonNode saved = run(AVERAGE, 10, "1");
        assertEquals("C.m avgt size=64 has no error: run three iterations or more (-i 3)", assertThrows(
            UserException.class, () -> new JmhComparison(saved, run(AVERAGE, 10, "\"NaN\""))).getMessage());
        assertThrows(UserException.class, () -> new JmhComparison(saved, run("thrpt", 10, "1")));
    }

    @Test
    void shouldRefuseAFileThatIsNoRun(@TempDir final Path directory) throws IOException
    {
        final Path file = directory.resolve("file");
        Files.writeString(file, "{}");
        CommandRun.bench("jmh", "FibLookup", "--baseline", file.toString()).assertRefused(1, "no results of JMH");
        Files.writeString(file, "text");
        CommandRun.bench("jmh", "FibLookup", "--baseline", file.toString()).assertRefused(1, "not JSON");
    }

    private static Set<String> slower(
        final String mode, final double saved, final double savedError, final double now, final double nowError)
        throws IOException
    {
        final JmhComparison comparison =
            new JmhComparison(run(mode, saved, "" + savedError), run(mode, now, "" + nowError));
        comparison.slower().forEach(name -> assertEquals("org.C.m", comparison.benchmark(name)));
        assertTrue(comparison.slower().size() <= 1);
        return comparison.slower();
    }

    private static JsonNode run(final String mode, final double score, final String error) throws IOException
    {
        return new ObjectMapper().readTree(
            "[{\"benchmark\":\"org.C.m\",\"mode\":\"" + mode + "\",\"params\":{\"size\":\"64\"}," +
            "\"primaryMetric\":{\"score\":" + score + ",\"scoreError\":" + error + ",\"scoreUnit\":\"ns/op\"}}]");
    }
}
