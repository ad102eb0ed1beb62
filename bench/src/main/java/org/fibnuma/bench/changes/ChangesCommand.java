package org.fibnuma.bench.changes;

import org.fibnuma.bench.lab.MeasurementCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/** {@code fibnuma bench changes}: measures how soon a running router follows the kernel. */
@Command(
    name = "changes",
    description = "Changes routes, addresses and neighbours of both families in the kernel of a router over AF_XDP, " +
        "in network namespaces, and the carrier of the link of one of two next hops, and measures the time until its " +
        "lookups have each change. Needs root.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = "  fibnuma bench changes --changes 1000 --json")
public final class ChangesCommand extends MeasurementCommand
{
    @Option(names = "--changes", defaultValue = "200", paramLabel = "N",
        description = "of each kind and family; of the carrier 40 at most (${DEFAULT-VALUE})")
    private int changes;

    /** Creates the command for picocli. */
    public ChangesCommand()
    {
    }

    @Override
    public Integer call() throws IOException
    {
        require(changes >= 1, "--changes must be 1 or more");
        requireNamespaces();
        final Map<ChangeKind, ChangeTimes> ipv4;
        final Map<ChangeKind, ChangeTimes> ipv6;
        try (ChangesRig rig = ChangesRig.open())
        {
            ipv4 = rig.measure(ChangeKind.IPV4, changes);
            ipv6 = rig.measure(ChangeKind.IPV6, changes);
        }
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("changes", changes);
        map.putAll(toMap(ipv4));
        map.put("ipv6", toMap(ipv6));
        output().print(map, out -> print(out, ipv4, ipv6));
        return DONE;
    }

    private static Map<String, Object> toMap(final Map<ChangeKind, ChangeTimes> results)
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        results.forEach((kind, times) -> map.put(kind.label(), times.micros()));
        return map;
    }

    private static void print(
        final PrintWriter out, final Map<ChangeKind, ChangeTimes> ipv4, final Map<ChangeKind, ChangeTimes> ipv6)
    {
        out.printf("%-14s %10s %10s %10s %10s%n", "change", "first us", "median us", "p99 us", "longest us");
        ipv4.forEach((kind, times) -> print(out, "IPv4 " + kind.label(), times));
        ipv6.forEach((kind, times) -> print(out, "IPv6 " + kind.label(), times));
    }

    private static void print(final PrintWriter out, final String name, final ChangeTimes times)
    {
        out.printf("%-14s", name);
        times.micros().values().forEach(time -> out.printf(" %10d", time));
        out.println();
    }
}
