package org.fibnuma.bench.fib;


import org.fibnuma.bench.lab.Rounds;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/** Result of one run of {@code bench fib --family 6}; sizes in bytes. Fields have the names of {@link FibResult}. */
final class Fib6Result
{
    String table;
    int routes;
    int nextHops;
    long tableBytes;
    long prefixBytes;
    double loadSeconds;
    double batchLookups;
    double singleLookups;
    String updates;
    int updateCount;
    double updateRate;
    int checked;
    int wrong;
    /** Lookups per second of {@code dpdk-test-fib}, by table; empty where it is not installed. */
    Map<String, Double> peers = Map.of();
    /** Why peers are missing, or an empty text. */
    String peersMissing = "";

    Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("table", table);
        map.put("routes", routes);
        map.put("nextHops", nextHops);
        map.put("bytes", tableBytes);
        map.put("tableBytes", tableBytes);
        map.put("bytesPerRoute", rounded((double)tableBytes / Math.max(1, routes)));
        map.put("prefixBytes", prefixBytes);
        map.put("prefixBytesPerRoute", rounded((double)prefixBytes / Math.max(1, routes)));
        map.put("loadSeconds", rounded(loadSeconds));
        map.put("lookupsPerSecond", Map.of("batch", Math.round(batchLookups), "single", Math.round(singleLookups)));
        final Map<String, Object> ofPeers = new LinkedHashMap<>();
        peers.forEach((name, rate) -> ofPeers.put(name, Math.round(rate)));
        map.put("peerLookupsPerSecond", ofPeers);
        map.put("peersMissing", peersMissing);
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
        out.printf("%-34s %,d (%.1f a route)%n", "bytes", tableBytes, (double)tableBytes / Math.max(1, routes));
        out.printf("%-34s %,d%n", "bytes of the FIB's prefixes", prefixBytes);
        out.printf("%-34s %.1f M/s%n", "lookups in batches of " + Destination6Batch.SIZE, batchLookups / 1e6);
        out.printf("%-34s %.1f M/s%n", "lookups one by one", singleLookups / 1e6);
        peers.forEach((name, rate) -> out.printf("%-34s %.1f M/s%n", "lookups of " + name, rate / 1e6));
        if (!peersMissing.isEmpty())
        {
            out.printf("%-34s %s%n", "peers", peersMissing);
        }
        out.printf("%-34s %.2f M/s (%,d, %s)%n", "updates", updateRate / 1e6, updateCount, updates);
        out.printf("%-34s %d of %,d%n", "wrong answers", wrong, checked);
    }

    private static double rounded(final double value)
    {
        return Rounds.rounded(value, 2);
    }
}
