package org.fibnuma.bench.stream;

import org.fibnuma.bench.lab.CommandRun;
import org.junit.jupiter.api.Test;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class StreamComparisonTest
{
    /** By hand: the echo is 5, 2 and 10 times faster, and the throughput 2, 3 and 0.5 times that of TCP. */
    @Test
    void shouldGiveMediansAndMediansOfTheRatiosOfRounds()
    {
        final StreamComparison comparison =
            new StreamComparison(List.of(new StreamComparison.Pair("Shm", "Tcp")));
        final double[][] rounds = {{4, 20, 2e9, 1e9}, {10, 20, 3e9, 1e9}, {5, 50, 1e9, 2e9}};
        for (final double[] round : rounds)
        {
            comparison.addEcho("Shm", round[0], 2 * round[0]);
            comparison.addEcho("Tcp", round[1], 3 * round[1]);
            comparison.addThroughput("Shm", round[2]);
            comparison.addThroughput("Tcp", round[3]);
        }

        final Map<String, Object> map = comparison.toMap();

        assertEquals(5.0, map.get("nettyEchoShmUs"));
        assertEquals(10.0, map.get("nettyEchoShmP99Us"));
        assertEquals(20.0, map.get("nettyEchoTcpUs"));
        assertEquals(2_000_000_000L, map.get("streamShmBytesPerSecond"));
        assertEquals(1_000_000_000L, map.get("streamTcpBytesPerSecond"));
        assertEquals(5.0, map.get("nettyEchoShmTimesFasterThanTcp"));
        assertEquals(2.0, map.get("streamShmTimesTcp"));
        final StringWriter text = new StringWriter();
        comparison.print(new PrintWriter(text, true));
        assertTrue(text.toString().contains("Shm beside Tcp: 5.0 times fewer us, 2.0 times the throughput"),
            text.toString());
        assertTrue(text.toString().contains("Shm                 5.00       10.00         2,000"), text.toString());
    }

    @Test
    void shouldRefuseWhatItCannotMeasure()
    {
        CommandRun.bench("stream", "--size", "0").assertRefused(2, "--size must be 1 to 1024: 0");
        for (final String option : List.of("--runs", "--limit-seconds"))
        {
            CommandRun.bench("stream", option, "0")
                .assertRefused(2, "--runs and --limit-seconds must be 1 or more");
        }
    }
}
