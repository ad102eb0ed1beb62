package org.fibnuma.pfc.config;

import org.fibnuma.core.config.TomlSection;
import org.fibnuma.pfc.policy.PausePolicyKind;
import org.fibnuma.pfc.policy.PauseTimeDivisor;
import org.fibnuma.pfc.policy.PauseTimeLaw;
import org.fibnuma.pfc.priority.PriorityClassifier;
import org.fibnuma.pfc.watchdog.StormAction;
import org.fibnuma.pfc.watchdog.WatchdogSettings;
import org.fibnuma.pfc.wire.MacControl;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads {@code [pfc]} and {@code [[pfc.port]]}. */
public final class PfcTableReader
{
    private static final String PFC = "pfc";
    private static final String LOSSLESS = "lossless";
    private static final String DSCP_MAP = "dscp-map";
    private static final String DIVISOR = "divisor";
    private static final String WATCHDOG = "watchdog";
    private static final int DEFAULT_LOSSLESS = 1 << 3 | 1 << 4;
    private static final int MAX_BYTES = Integer.MAX_VALUE;

    private final TomlSection section;
    private final List<String> ports;

    private PfcTableReader(final TomlSection section, final List<String> ports)
    {
        this.section = section;
        this.ports = ports;
    }

    /**
     * Reads the table; problems are noted with their lines.
     *
     * @param root  of the file.
     * @param ports names of the router's ports.
     * @return null where there is no such table.
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
        final int queues = Math.max(1, ports.size() * Integer.bitCount(lossless));
        final PfcLinkReader linkReader = new PfcLinkReader(buffer / queues, line).read(section);
        final PfcConfig config = new PfcConfig(
            line,
            lossless,
            classifier(),
            section.parsed("policy", PausePolicyKind::of, PausePolicyKind.POOC),
            new PauseTimeLaw(section.number("gain", 1e-3, 1e6, PauseTimeLaw.DEFAULT_GAIN), divisor()),
            buffer,
            Math.max(1, ports.size()),
            linkReader.link("", section),
            links(linkReader),
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
                "\"" + entry + "\" maps nothing; write DSCP:PRIORITY such as \"46:5\"");
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

    private Map<String, PfcLink> links(final PfcLinkReader base)
    {
        final Map<String, PfcLink> links = new HashMap<>();
        for (final TomlSection port : section.tables("port"))
        {
            final String name = port.string("name", "");
            if (!ports.contains(name))
            {
                port.wrong("name", "\"" + name + "\" is no port of this file; one of " + String.join(", ", ports));
            }
            else if (links.containsKey(name))
            {
                port.wrong("name", "\"" + name + "\" has a table already; keep one of them");
            }
            links.put(name, base.overriddenAt(port.lineOf("name")).read(port).link(name, port));
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

    /** In bytes, or in percent of the memory; -1 where neither is given. */
    private long ecnBytes(final String key, final long buffer)
    {
        final String percent = key + "-percent";
        final String bytes = key + "-bytes";
        if (section.has(percent))
        {
            if (section.has(bytes))
            {
                section.wrong(percent, "is given as " + bytes + " too; keep one of them");
            }
            if (buffer == 0)
            {
                section.wrong(percent, "is a part of buffer-bytes, which is missing; give that or " + bytes);
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
