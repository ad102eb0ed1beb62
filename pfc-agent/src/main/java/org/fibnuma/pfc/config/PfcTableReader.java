package org.fibnuma.pfc.config;

import org.fibnuma.core.config.TomlSection;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.pfc.headroom.Headroom;
import org.fibnuma.pfc.headroom.HeadroomModel;
import org.fibnuma.pfc.headroom.HeadroomRequest;
import org.fibnuma.pfc.policy.PausePolicyKind;
import org.fibnuma.pfc.policy.PauseTimeDivisor;
import org.fibnuma.pfc.policy.PauseTimeLaw;
import org.fibnuma.pfc.priority.PriorityClassifier;
import org.fibnuma.pfc.quanta.LinkSpeed;
import org.fibnuma.pfc.watchdog.StormAction;
import org.fibnuma.pfc.watchdog.WatchdogSettings;
import org.fibnuma.pfc.wire.MacControl;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the tables {@code [pfc]} and {@code [[pfc.port]]}. */
public final class PfcTableReader
{
    private static final String PFC = "pfc";
    private static final String LOSSLESS = "lossless";
    private static final String DSCP_MAP = "dscp-map";
    private static final String XON = "xon-bytes";
    private static final String DIVISOR = "divisor";
    private static final String WATCHDOG = "watchdog";
    private static final int DEFAULT_LOSSLESS = 1 << 3 | 1 << 4;
    private static final int MAX_BYTES = Integer.MAX_VALUE;
    /** Without buffer-bytes: as many full frames as an egress FIFO of the router holds by default. */
    private static final int DEFAULT_XOFF_FRAMES = 64;
    /** The paper's marks are 9/10 and 1/10 of a queue. */
    private static final int XOFF_TO_XON = 9;

    private final TomlSection section;
    private final List<String> ports;
    /** Memory of one lossless priority of one port in bytes; 0: unlimited. */
    private long shareBytes;

    /** The keys that {@code [pfc]} and {@code [[pfc.port]]} have in common; 0 bytes: computed; -1 ns: default. */
    private record LinkKeys(
        long bitsPerSecond,
        double cableMeters,
        int mtu,
        double pollMicros,
        int ringFrames,
        double interfaceNanos,
        int xoffBytes,
        int xonBytes,
        int headroomBytes,
        MacFlowControl mac)
    {
        private static final LinkKeys DEFAULT = new LinkKeys(
            10 * LinkSpeed.GIGABIT, HeadroomRequest.DEFAULT_CABLE_METERS, EthernetHeaderFlyweight.MAX_PAYLOAD_LENGTH,
            HeadroomRequest.DEFAULT_POLL_NANOS / 1e3, HeadroomRequest.DEFAULT_RING_FRAMES, -1, 0, 0, 0,
            MacFlowControl.OFF);

        LinkKeys overriddenBy(final TomlSection table)
        {
            return new LinkKeys(
                table.parsed("speed", LinkSpeed::parse, bitsPerSecond),
                table.number("cable-m", 0, 100_000, cableMeters),
                table.integer("mru", 64, 0xFFFF, mtu),
                table.number("poll-us", 0, 10_000_000, pollMicros),
                table.integer("ring-frames", 0, 1 << 16, ringFrames),
                table.number("interface-ns", 0, 1_000_000, interfaceNanos),
                table.integer("xoff-bytes", 1, MAX_BYTES, xoffBytes),
                table.integer(XON, 0, MAX_BYTES, xonBytes),
                table.integer("headroom-bytes", 0, MAX_BYTES, headroomBytes),
                table.parsed("mac", MacFlowControl::of, mac));
        }

        Headroom neededHeadroom(final TomlSection table)
        {
            try
            {
                final HeadroomRequest request = new HeadroomRequest(bitsPerSecond)
                    .cableMeters(cableMeters).mtu(mtu).pollNanos(Math.round(pollMicros * 1e3)).ringFrames(ringFrames);
                return HeadroomModel.OWN.compute(interfaceNanos < 0 ? request : request.interfaceNanos(interfaceNanos));
            }
            catch (final IllegalArgumentException ex)
            {
                table.wrong("speed", ex.getMessage());
                return HeadroomModel.OWN.compute(new HeadroomRequest(LinkSpeed.GIGABIT));
            }
        }
    }

    private PfcTableReader(final TomlSection section, final List<String> ports)
    {
        this.section = section;
        this.ports = ports;
    }

    /**
     * Reads the table and reports problems, with their lines, to the file's problem list.
     *
     * @param root  of the file.
     * @param ports names of the router's ports.
     * @return null if the file has no table {@code [pfc]}.
     */
    public static PfcConfig read(final TomlSection root, final List<String> ports)
    {
        final TomlSection section = root.table(PFC);
        return section == null ? null : new PfcTableReader(section, ports).read();
    }

    private PfcConfig read()
    {
        final int lossless = lossless();
        final int line = section.lineOf("");
        final long buffer = section.integer("buffer-bytes", 1, MAX_BYTES, 0);
        shareBytes = buffer / Math.max(1, ports.size() * Integer.bitCount(lossless));
        final LinkKeys keys = LinkKeys.DEFAULT.overriddenBy(section);
        final PfcConfig config = new PfcConfig(
            line,
            lossless,
            classifier(),
            section.parsed("policy", PausePolicyKind::of, PausePolicyKind.POOC),
            new PauseTimeLaw(section.number("gain", 1e-3, 1e6, PauseTimeLaw.DEFAULT_GAIN), divisor()),
            buffer,
            Math.max(1, ports.size()),
            link("", line, keys, section),
            links(keys),
            ecn(buffer),
            watchdog());
        section.refuseUnknownKeys();
        return config;
    }

    private int lossless()
    {
        if (!section.has(LOSSLESS))
        {
            return DEFAULT_LOSSLESS;
        }
        int priorities = 0;
        for (final int priority : section.integers(LOSSLESS, 0, MacControl.PRIORITIES - 1))
        {
            priorities |= 1 << priority;
        }
        return priorities;
    }

    private PriorityClassifier classifier()
    {
        final String classify = section.oneOf("classify", List.of("dscp", "pcp"), "dscp");
        final byte[] map = PriorityClassifier.classSelectors();
        for (final String entry : section.strings(DSCP_MAP))
        {
            section.parse(DSCP_MAP, entry, text -> putDscp(map, text), null);
        }
        return "pcp".equals(classify) ? PriorityClassifier.byPcp() : PriorityClassifier.byDscp(map);
    }

    private static byte[] putDscp(final byte[] map, final String entry)
    {
        if (!entry.matches("\\d{1,2}:[0-7]") || Integer.parseInt(entry.substring(0, entry.indexOf(':'))) >= map.length)
        {
            throw new IllegalArgumentException(
                "\"" + entry + "\" is not DSCP:PRIORITY, such as \"46:5\"");
        }
        map[Integer.parseInt(entry.substring(0, entry.indexOf(':')))] = (byte)(entry.charAt(entry.length() - 1) - '0');
        return map;
    }

    private PauseTimeDivisor divisor()
    {
        final int value = section.integer(DIVISOR, 1, 1_000, PauseTimeDivisor.PRINTED.value());
        try
        {
            return PauseTimeDivisor.of(value);
        }
        catch (final IllegalArgumentException ex)
        {
            section.wrong(DIVISOR, ex.getMessage());
            return PauseTimeDivisor.PRINTED;
        }
    }

    private PfcLink link(final String port, final int line, final LinkKeys keys, final TomlSection table)
    {
        final Headroom needed = keys.neededHeadroom(table);
        final long headroom = keys.headroomBytes > 0 ? keys.headroomBytes : needed.xoff();
        final long available = shareBytes > 0 ? shareBytes - headroom :
            DEFAULT_XOFF_FRAMES * (long)(keys.mtu + EthernetHeaderFlyweight.LENGTH);
        final long xoff = keys.xoffBytes > 0 ? keys.xoffBytes : available;
        final long xon = table.has(XON) || keys.xonBytes > 0 ? keys.xonBytes : xoff / XOFF_TO_XON;
        return new PfcLink(port, line, keys.bitsPerSecond, xoff, xon, headroom, needed, keys.mac);
    }

    private Map<String, PfcLink> links(final LinkKeys base)
    {
        final Map<String, PfcLink> links = new HashMap<>();
        for (final TomlSection port : section.tables("port"))
        {
            final String name = port.string("name", "");
            if (!ports.contains(name))
            {
                port.wrong("name", "unknown port \"" + name + "\"; use one of " + String.join(", ", ports));
            }
            else if (links.containsKey(name))
            {
                port.wrong("name", "port \"" + name + "\" has two tables; remove one");
            }
            links.put(name, link(name, port.lineOf("name"), base.overriddenBy(port), port));
            port.refuseUnknownKeys();
        }
        return Map.copyOf(links);
    }

    private EcnSettings ecn(final long buffer)
    {
        final long min = ecnBytes("ecn-min", buffer);
        final long max = ecnBytes("ecn-max", buffer);
        final double probability = section.number("ecn-max-probability", 0, 1, 1);
        if (min < 0 && max < 0)
        {
            return null;
        }
        final String given = section.has("ecn-min-bytes") ? "ecn-min-bytes" : "ecn-min-percent";
        return new EcnSettings(
            section.lineOf(given), Math.max(0, min), max < 0 ? Math.max(0, min) : max, probability);
    }

    /** Returns a mark in bytes, from bytes or from percent of buffer-bytes; -1 if neither key is set. */
    private long ecnBytes(final String key, final long buffer)
    {
        final String percent = key + "-percent";
        final String bytes = key + "-bytes";
        if (section.has(percent))
        {
            if (section.has(bytes))
            {
                section.wrong(percent, "and " + bytes + " are both set; remove one");
            }
            if (buffer == 0)
            {
                section.wrong(percent, "needs buffer-bytes; set that, or use " + bytes);
            }
            return (long)(section.number(percent, 0, 100, 0) / 100 * buffer);
        }
        return section.integer(bytes, 0, MAX_BYTES, -1);
    }

    private WatchdogSettings watchdog()
    {
        final String action = section.string(WATCHDOG, StormAction.DROP.key());
        final WatchdogSettings settings = new WatchdogSettings(
            section.integer("watchdog-poll-ms", WatchdogSettings.MIN_MS, WatchdogSettings.MAX_DETECTION_MS,
                WatchdogSettings.DEFAULT_MS),
            section.integer("watchdog-detection-ms", WatchdogSettings.MIN_MS, WatchdogSettings.MAX_DETECTION_MS,
                WatchdogSettings.DEFAULT_MS),
            section.integer("watchdog-restore-ms", WatchdogSettings.MIN_MS, WatchdogSettings.MAX_RESTORE_MS,
                WatchdogSettings.DEFAULT_MS),
            "off".equals(action) ? StormAction.ALERT :
                section.parse(WATCHDOG, action, StormAction::of, StormAction.DROP));
        return "off".equals(action) ? null : settings;
    }
}
