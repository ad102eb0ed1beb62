package org.fibnuma.bench.flows;

import org.fibnuma.bench.lab.Rounds;
import org.fibnuma.core.counter.CountersFile;
import org.fibnuma.core.counter.CountersFileReader;
import org.fibnuma.fibnic.fate.FateReport;
import org.fibnuma.fibnic.fate.ForwarderCounter;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * How long frames of flows still pass after a change that ends their flows: from the end of the program that makes the
 * change to the last frame.
 */
final class ChangeTimes
{
    private static final int DECIMALS = 1;

    private final Rounds<Change> times = new Rounds<>();

    private enum Change
    {
        /** The entry of one connection is deleted. The kernel forwards its packets then. */
        ENTRY,
        /** The route is deleted. */
        ROUTE,
        /** A rule drops all packets. */
        RULE
    }

    /** Measures each change once. No flow is left then. */
    void measure(final FlowsRig rig, final String routerName)
    {
        try (CountersFileReader reader = CountersFileReader.open(CountersFile.directoryOf(routerName)))
        {
            times.add(Change.ENTRY, rig.millisToLastFrame(
                1, () -> FateReport.of(reader.counters()).get(ForwarderCounter.FLOWS),
                "conntrack", "-D", "-d", rig.firstDestination()));
        }
        times.add(Change.ROUTE, rig.millisToLastFrame(rig.flows(), rig::arrived,
            "ip", "route", "del", FlowsRig.ROUTE));
        rig.addRoute();
        times.add(Change.RULE, rig.millisToLastFrame(rig.flows(), rig::arrived,
            "nft", "insert", "rule", "inet", "filter", "forward", "drop"));
    }

    /** Returns the medians in milliseconds by the name of the change. */
    Map<String, Double> toMap()
    {
        final Map<String, Double> map = new LinkedHashMap<>();
        for (final Change change : Change.values())
        {
            map.put(change.name().toLowerCase(Locale.ROOT), Rounds.rounded(times.median(change), DECIMALS));
        }
        return map;
    }
}
