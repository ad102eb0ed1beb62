package org.fibnuma.fibnic.demo;

import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.FateReport;
import org.fibnuma.fibnic.fate.ForwarderCounter;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The results of a demo, complete when it has ended. */
final class DemoReport
{
    private final String mode;
    private final FamilyReport ipv4;
    private final FamilyReport ipv6;
    private double readySeconds;
    private FamilyReport.Flood mixed;
    private FateReport fates;

    DemoReport(final String mode, final int ipv4Routes, final int ipv6Routes)
    {
        this.mode = mode;
        this.ipv4 = new FamilyReport("IPv4", ipv4Routes);
        this.ipv6 = new FamilyReport("IPv6", ipv6Routes);
    }

    void ready(final double seconds)
    {
        readySeconds = seconds;
    }

    FamilyReport of(final boolean isIpv6)
    {
        return isIpv6 ? ipv6 : ipv4;
    }

    /** Sets the result of frames of both families in turn. */
    void mixed(final FamilyReport.Flood flood)
    {
        mixed = flood;
    }

    void fates(final FateReport report)
    {
        fates = report;
    }

    boolean isBalanced()
    {
        return fates.isBalanced();
    }

    /** Returns the result for JSON: figures of IPv4, and objects with the same names for IPv6 and for both. */
    Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("mode", mode);
        map.put("readySeconds", FamilyReport.rounded(readySeconds));
        map.put("latencyOf", "ping round trip through the router, no other traffic");
        ipv4.addTo(map);
        final Map<String, Object> ipv6Map = new LinkedHashMap<>();
        ipv6.addTo(ipv6Map);
        map.put("ipv6", ipv6Map);
        final Map<String, Object> mixedMap = new LinkedHashMap<>();
        mixed.addTo(mixedMap);
        map.put("mixed", mixedMap);
        map.put("forwardedPackets", fates.get(ForwarderCounter.FORWARDED));
        map.put("drops", drops());
        map.put("fateBalanced", fates.isBalanced());
        return map;
    }

    private Map<String, Long> drops()
    {
        final Map<String, Long> drops = new LinkedHashMap<>();
        for (final DropReason reason : DropReason.values())
        {
            if (fates.get(reason) > 0)
            {
                drops.put(reason.label(), fates.get(reason));
            }
        }
        return drops;
    }

    void print(final PrintWriter out)
    {
        final Map<String, Long> drops = drops();
        out.println();
        row(out, "routes", String.format("%,d IPv4 and %,d IPv6, forwarding %.1f s after the start",
            ipv4.routes(), ipv6.routes(), readySeconds));
        for (final FamilyReport family : List.of(ipv4, ipv6))
        {
            row(out, "ping " + family.name(), String.format(
                "%,d sent, %,d answered; median %.1f us, 99 %% under %.1f us, 99.9 %% under %.1f us",
                family.pingsSent(), family.pingsReceived(),
                family.micros(50), family.micros(99), family.micros(99.9)));
        }
        flood(out, "UDP IPv4", ipv4.flood());
        flood(out, "UDP IPv6", ipv6.flood());
        flood(out, "UDP both", mixed);
        row(out, "forwarded", String.format("%,d frames", fates.get(ForwarderCounter.FORWARDED)));
        row(out, "dropped", drops.isEmpty() ? "none" : drops.entrySet().stream()
            .map(entry -> String.format("%,d %s", entry.getValue(), entry.getKey()))
            .collect(Collectors.joining(", ")));
        row(out, "counters", fates.isBalanced() ?
            String.format("balanced: each of %,d received frames has one disposition",
            fates.get(ForwarderCounter.RECEIVED)) : "not balanced: this is a bug");
        out.println();
        out.println("Next: ./fibnuma router --help, and the README for a router on your own interfaces.");
        out.flush();
    }

    private static void flood(final PrintWriter out, final String name, final FamilyReport.Flood flood)
    {
        row(out, name, String.format("%,d frames sent, as fast as one core can; %.2f million a second arrive",
            flood.sent(), flood.mpps()));
    }

    private static void row(final PrintWriter out, final String name, final String value)
    {
        out.printf("  %-12s %s%n", name, value);
    }
}
