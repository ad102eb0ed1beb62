package org.fibnuma.bench.fib;

import org.fibnuma.bench.lab.Rounds;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/** Result of one run of {@code bench fib}; sizes in bytes. */
final class FibResult
{
    String table;
    int routes;
    int nextHops;
    /** Code width in bits; null for IPv6, whose table has no codes. */
    Integer codeBits;
    long tableBytes;
    /** Bytes of the second level; 0 for IPv6, where {@link #tableBytes} has all levels. */
    long secondLevelBytes;
    long prefixBytes;
    double loadSeconds;
    double batchLookups;
    double singleLookups;
    double batchLookupsOfSpace;
    String updates;
    int updateCount;
    double updateRate;
    int checked;
    int wrong;
    /** Lookups per second of {@code dpdk-test-fib} for IPv6, by table; empty where it is not installed. */
    Map<String, Double> peers = Map.of();
    /** Why peers are missing, or an empty text. */
    String peersMissing = "";

    private long bytes()
    {
        return tableBytes + secondLevelBytes;
    }

    private double perRoute(final long bytes)
    {
        return (double)bytes / Math.max(1, routes);
    }

    Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("table", table);
        map.put("routes", routes);
        map.put("nextHops", nextHops);
        if (codeBits != null)
        {
            map.put("codeBits", codeBits);
            map.put("secondLevelBytes", secondLevelBytes);
            map.put("lookupsPerSecondWholeSpace", Math.round(batchLookupsOfSpace));
        }
        map.put("bytes", bytes());
        map.put("tableBytes", tableBytes);
        map.put("bytesPerRoute", rounded(perRoute(bytes())));
        map.put("prefixBytes", prefixBytes);
        map.put("prefixBytesPerRoute", rounded(perRoute(prefixBytes)));
        map.put("loadSeconds", rounded(loadSeconds));
        map.put("lookupsPerSecond", Map.of("batch", Math.round(batchLookups), "single", Math.round(singleLookups)));
        if (codeBits == null)
        {
            final Map<String, Object> ofPeers = new LinkedHashMap<>();
            peers.forEach((name, rate) -> ofPeers.put(name, Math.round(rate)));
            map.put("peerLookupsPerSecond", ofPeers);
            map.put("peersMissing", peersMissing);
        }
        map.put("updates", updates);
        map.put("updateCount", updateCount);
        map.put("updatesPerSecond", Math.round(updateRate));
        map.put("checkedAddresses", checked);
        map.put("wrongAddresses", wrong);
        return map;
    }

    void print(final PrintWriter out)
    {
        out.printf("%-34s %s%n", "table", table);
        out.printf("%-34s %,d with %d next hops, loaded in %.2f s%n", "routes", routes, nextHops, loadSeconds);
        if (codeBits != null)
        {
            out.printf("%-34s %d%n", "bits a code", codeBits);
            out.printf("%-34s %,d + %,d (%.1f a route)%n", "bytes, first + second level", tableBytes,
                secondLevelBytes, perRoute(bytes()));
        }
        else
        {
            out.printf("%-34s %,d (%.1f a route)%n", "bytes", tableBytes, perRoute(tableBytes));
        }
        out.printf("%-34s %,d%n", "bytes of the FIB's prefixes", prefixBytes);
        printRate(out, "lookups in batches of " + DestinationBatch.SIZE, batchLookups);
        printRate(out, "lookups one by one", singleLookups);
        if (codeBits != null)
        {
            printRate(out, "batches over all 2^32 addresses", batchLookupsOfSpace);
        }
        peers.forEach((name, rate) -> printRate(out, "lookups of " + name, rate));
        if (!peersMissing.isEmpty())
        {
            out.printf("%-34s %s%n", "peers", peersMissing);
        }
        out.printf("%-34s %.2f M/s (%,d, %s)%n", "updates", updateRate / 1e6, updateCount, updates);
        out.printf("%-34s %d of %,d%n", "wrong answers", wrong, checked);
    }

    private static void printRate(final PrintWriter out, final String name, final double perSecond)
    {
        out.printf("%-34s %.1f M/s%n", name, perSecond / 1e6);
    }

    private static double rounded(final double value)
    {
        return Rounds.rounded(value, 2);
    }
}
