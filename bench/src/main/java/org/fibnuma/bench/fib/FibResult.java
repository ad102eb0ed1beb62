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
    int codeBits;
    long tableBytes;
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

    private long bytes()
    {
        return tableBytes + secondLevelBytes;
    }

    private double bytesPerRoute()
    {
        return (double)bytes() / Math.max(1, routes);
    }

    Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("table", table);
        map.put("routes", routes);
        map.put("nextHops", nextHops);
        map.put("codeBits", codeBits);
        map.put("bytes", bytes());
        map.put("tableBytes", tableBytes);
        map.put("secondLevelBytes", secondLevelBytes);
        map.put("bytesPerRoute", rounded(bytesPerRoute()));
        map.put("prefixBytes", prefixBytes);
        map.put("prefixBytesPerRoute", rounded((double)prefixBytes / Math.max(1, routes)));
        map.put("loadSeconds", rounded(loadSeconds));
        map.put("lookupsPerSecond", Map.of("batch", Math.round(batchLookups), "single", Math.round(singleLookups)));
        map.put("lookupsPerSecondWholeSpace", Math.round(batchLookupsOfSpace));
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
        out.printf("%-34s %d%n", "bits a code", codeBits);
        out.printf("%-34s %,d + %,d (%.1f a route)%n", "bytes, first + second level", tableBytes, secondLevelBytes,
            bytesPerRoute());
        out.printf("%-34s %,d%n", "bytes of the FIB's prefixes", prefixBytes);
        out.printf("%-34s %.1f M/s%n", "lookups in batches of " + DestinationBatch.SIZE, batchLookups / 1e6);
        out.printf("%-34s %.1f M/s%n", "lookups one by one", singleLookups / 1e6);
        out.printf("%-34s %.1f M/s%n", "batches over all 2^32 addresses", batchLookupsOfSpace / 1e6);
        out.printf("%-34s %.2f M/s (%,d, %s)%n", "updates", updateRate / 1e6, updateCount, updates);
        out.printf("%-34s %d of %,d%n", "wrong answers", wrong, checked);
    }

    private static double rounded(final double value)
    {
        return Rounds.rounded(value, 2);
    }
}
