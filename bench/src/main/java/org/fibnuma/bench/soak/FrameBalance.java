package org.fibnuma.bench.soak;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.service.netns.Host;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counters of all places that can drop test frames: the router, its ports, the links, and the kernel and the filter of
 * the router's host. Some also count other frames, so that they explain at least what was lost.
 *
 * @param drops by reason.
 */
record FrameBalance(Map<String, Long> drops)
{
    private static final List<String> DEVICE_LOSSES =
        List.of("rxRingFull", "rxNoBuffer", "rxTruncated", "rxDropped", "txInvalid");
    /** Column of {@code /proc/net/dev} behind the name. That of receiving repeats what ports have no room for. */
    private static final int TX_DROPPED = 11;
    private static final List<String> KERNEL_DROPS = List.of(
        "Ip.InHdrErrors", "Ip.InAddrErrors", "Ip.InDiscards", "Ip.OutDiscards", "Ip.OutNoRoutes", "IpExt.InNoRoutes",
        "IpExt.InTruncatedPkts", "Ip6InHdrErrors", "Ip6InNoRoutes", "Ip6InAddrErrors", "Ip6InDiscards",
        "Ip6OutDiscards", "Ip6OutNoRoutes");

    /** Reads the counters of a rig. */
    static FrameBalance read(final SoakRig rig) throws IOException
    {
        final Map<String, Long> drops = new TreeMap<>();
        for (final JsonNode drop : rig.ask("drops").get("portDrops"))
        {
            if (SoakRig.LEFT_PORT.equals(drop.get("port").asText()))
            {
                drops.merge(drop.get("reason").asText(), drop.get("frames").asLong(), Long::sum);
            }
        }
        for (final JsonNode port : rig.ask("ports").get("ports"))
        {
            final String name = port.get("name").asText();
            if (SoakRig.isOnTheWay(name))
            {
                DEVICE_LOSSES.forEach(loss -> drops.put("port " + name + " " + loss, port.get(loss).asLong()));
            }
        }
        for (final Host host : List.of(rig.left(), rig.right(), rig.router()))
        {
            addLinks(host, drops);
        }
        addKernel(rig.router(), drops);
        drops.put("filter", rig.filtered());
        return new FrameBalance(drops);
    }

    private static void addLinks(final Host host, final Map<String, Long> drops)
    {
        for (final String line : host.run("cat", "/proc/net/dev").lines().filter(row -> row.contains(":")).toList())
        {
            final String device = line.substring(0, line.indexOf(':')).strip();
            final String[] columns = line.substring(line.indexOf(':') + 1).strip().split(" +");
            if (SoakRig.isDeviceOnTheWay(device))
            {
                drops.put("link " + host + " " + device, Long.parseLong(columns[TX_DROPPED]));
            }
        }
    }

    /** The lines of snmp and netstat come in pairs, of names and of values; a line of snmp6 has a name and a value. */
    private static void addKernel(final Host host, final Map<String, Long> drops)
    {
        final Map<String, Long> all = new TreeMap<>();
        final List<String> pairs =
            host.run("cat", "/proc/net/snmp", "/proc/net/netstat").lines().toList();
        for (int i = 0; i + 1 < pairs.size(); i += 2)
        {
            final String[] names = pairs.get(i).split(" +");
            final String[] values = pairs.get(i + 1).split(" +");
            for (int j = 1; j < names.length; j++)
            {
                all.put(names[0].replace(":", ".") + names[j], Long.parseLong(values[j]));
            }
        }
        host.run("cat", "/proc/net/snmp6").lines().map(line -> line.split("\\s+"))
            .forEach(pair -> all.put(pair[0], Long.parseLong(pair[1])));
        KERNEL_DROPS.forEach(name -> drops.put("kernel " + name, all.getOrDefault(name, 0L)));
    }

    /**
     * Returns what was dropped since an earlier state, by reason, without reasons that did not occur.
     *
     * @param missed frames that the tester's ports have lost.
     */
    Map<String, Long> since(final FrameBalance before, final long missed)
    {
        final Map<String, Long> since = new TreeMap<>();
        drops.forEach((reason, count) -> add(since, reason, count - before.drops.getOrDefault(reason, 0L)));
        add(since, "tester", missed);
        return since;
    }

    private static void add(final Map<String, Long> drops, final String reason, final long count)
    {
        if (count > 0)
        {
            drops.put(reason, count);
        }
    }

    /** Returns the number of lost frames that no counter explains. */
    static long unexplained(final long sent, final long received, final Map<String, Long> explained)
    {
        return Math.max(0, sent - received - explained.values().stream().mapToLong(Long::longValue).sum());
    }
}
