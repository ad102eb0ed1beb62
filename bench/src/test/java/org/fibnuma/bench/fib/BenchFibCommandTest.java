package org.fibnuma.bench.fib;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.bench.lab.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class BenchFibCommandTest
{
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"2, 2", "4, 14", "8, 254", "16, 1000"})
    void shouldForceTheWidthAndFindNoWrongAnswer(final int codeBits, final int nextHops)
    {
        final JsonNode json =
            run("--table", "generated:20000", "--code-bits", "" + codeBits, "--json", "--run-ms", "1").json();

        assertEquals(20_000, json.get("routes").asInt());
        assertEquals(codeBits, json.get("codeBits").asInt());
        assertEquals(nextHops, json.get("nextHops").asInt());
        assertEquals(codeBits << 21, json.get("tableBytes").asInt());
        assertEquals(
            json.get("bytes").asDouble() / 20_000, json.get("bytesPerRoute").asDouble(), 0.01);
        assertRates(json);
        assertEquals(2_000_000, json.get("checkedAddresses").asInt());
        assertEquals(0, json.get("wrongAddresses").asInt());
        assertTrue(json.get("machine").get("cores").asInt() > 0);
    }

    @Test
    void shouldReplayATraceOfUpdates() throws IOException
    {
        final Path table = Files.writeString(directory.resolve("table"),
            "10.0.0.0/8 192.0.2.1\n10.1.0.0/16 192.0.2.2\n");
        final Path updates = Files.writeString(directory.resolve("updates"),
            "BGP4MP|1|A|1.1.1.1|1|10.2.0.0/16|1|IGP|192.0.2.3|\nBGP4MP|1|W|1.1.1.1|1|10.1.0.0/16\n");

        assertPrinted("wrong answers                      0 of 2,000,000",
            "--table", table.toString(), "--updates", updates.toString(), "--run-ms", "1");
    }

    @Test
    void shouldMeasureIpv6AndFindNoWrongAnswer()
    {
        final JsonNode json = run(
            "--family", "6", "--table", "generated:20000", "--without-peers", "--json", "--run-ms", "1").json();

        assertEquals(20_000, json.get("routes").asInt());
        assertEquals(23, json.get("nextHops").asInt());
        assertTrue(json.get("bytes").asLong() > 20_000);
        assertRates(json);
        assertEquals(2 << 18, json.get("checkedAddresses").asInt());
        assertEquals(0, json.get("wrongAddresses").asInt());
    }

    @Test
    void shouldReplayATraceOfIpv6Updates() throws IOException
    {
        final Path table = Files.writeString(directory.resolve("table6"),
            "2001:db8::/32 fe80::1\n2001:db8:1::/48 fe80::2\n10.0.0.0/8 192.0.2.1\n");
        final Path updates = Files.writeString(directory.resolve("updates6"),
            "BGP4MP|1|A|::1|1|2001:db8:2::/48|1|IGP|fe80::3|\nBGP4MP|1|W|::1|1|2001:db8:1::/48\n");

        assertPrinted("wrong answers                      0 of 524,288", "--family", "6", "--table", table.toString(),
            "--updates", updates.toString(), "--without-peers", "--run-ms", "1");
    }

    @Test
    void shouldFailInOneLineWhenThereIsNoTable()
    {
        final CommandRun run = run("--table", directory.resolve("none").toString());
        run.assertRefused(1, "none: no such file");
        assertEquals(1, run.errors().lines().count());
    }

    @ParameterizedTest
    @CsvSource({"--code-bits, 3", "--family, 5", "--next-hops, 0", "--run-ms, 0", "--nonsense, 1"})
    void shouldRefuseWrongUsage(final String option, final String value)
    {
        run(option, value).assertRefused(2, option);
    }

    private static void assertRates(final JsonNode json)
    {
        assertTrue(json.get("prefixBytes").asLong() > 20_000 * 4);
        assertTrue(json.get("lookupsPerSecond").get("batch").asLong() > 0);
        assertTrue(json.get("lookupsPerSecond").get("single").asLong() > 0);
        assertTrue(json.get("updatesPerSecond").asLong() > 0);
    }

    private static void assertPrinted(final String text, final String... options)
    {
        final CommandRun run = run(options);
        assertEquals(0, run.status(), run::errors);
        assertTrue(run.output().contains(text), run::output);
    }

    private static CommandRun run(final String... options)
    {
        return CommandRun.bench(Stream.concat(Stream.of("fib"), Stream.of(options)).toArray(String[]::new));
    }
}
