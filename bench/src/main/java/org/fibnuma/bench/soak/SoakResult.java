package org.fibnuma.bench.soak;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a soak has done and found. */
final class SoakResult
{
    double minutes;
    long seed;
    long sent;
    long received;
    Map<String, Long> explained;
    long wrongNextHop;
    long connections;
    long connectionsLost;
    long deliberatelyLost;
    long routeChanges;
    long ruleChanges;
    long reloads;
    long captures;
    long portChanges;
    Usage before;
    Usage after;
    boolean isVerified;
    /** What does not hold, a line each. */
    final List<String> failures = new ArrayList<>();

    private long unexplained()
    {
        return FrameBalance.unexplained(sent, received, explained);
    }

    /** Adds the failures that follow from the numbers. */
    void addFailures()
    {
        if (sent == 0 || received == 0)
        {
            failures.add("of " + sent + " test frames " + received + " arrived");
        }
        if (received > sent)
        {
            failures.add((received - sent) + " frames arrived that were not sent");
        }
        if (unexplained() > 0)
        {
            failures.add(unexplained() + " test frames were lost that no counter of drops explains");
        }
        if (wrongNextHop > 0)
        {
            failures.add(wrongNextHop + " test frames arrived at a wrong next hop");
        }
        if (connectionsLost > 0)
        {
            failures.add(connectionsLost + " of " + connections + " connections were lost");
        }
    }

    /** Returns the result by the names of {@code --json}. */
    Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("minutes", minutes);
        map.put("seed", seed);
        map.put("sent", sent);
        map.put("received", received);
        map.put("explained", explained);
        map.put("unexplained", unexplained());
        map.put("wrongNextHop", wrongNextHop);
        map.put("connections", connections);
        map.put("connectionsLost", connectionsLost);
        map.put("deliberatelyLost", deliberatelyLost);
        map.put("routeChanges", routeChanges);
        map.put("ruleChanges", ruleChanges);
        map.put("reloads", reloads);
        map.put("captures", captures);
        map.put("portChanges", portChanges);
        final Map<String, Object> growth = new LinkedHashMap<>();
        growth.put("before", before.toMap());
        growth.put("after", after.toMap());
        map.put("growth", growth);
        map.put("verify", isVerified);
        map.put("failures", failures);
        return map;
    }

    /** Prints the result for people. */
    void print(final PrintWriter out)
    {
        out.printf("%-26s %d sent, %d received, %d lost without a counter, %d at a wrong next hop%n", "test frames",
            sent, received, unexplained(), wrongNextHop);
        explained.forEach((reason, frames) -> out.printf("%-26s %d %s%n", "  dropped", frames, reason));
        out.printf("%-26s %d, lost %d; packets dropped on purpose: %d%n", "connections", connections, connectionsLost,
            deliberatelyLost);
        out.printf("%-26s %d%n", "route changes", routeChanges);
        out.printf("%-26s %d reloads, %d captures and traces, %d changes of rules, %d changes of a port%n",
            "operations", reloads, captures, ruleChanges, portChanges);
        final Map<String, Long> last = after.toMap();
        before.toMap().forEach((name, value) -> out.printf("%-26s %d, after the warm-up %d%n", name, last.get(name),
            value));
        out.printf("%-26s %s%n", "verify", isVerified ? "no difference" : "differences");
        failures.forEach(failure -> out.println("FAILED: " + failure));
    }
}
