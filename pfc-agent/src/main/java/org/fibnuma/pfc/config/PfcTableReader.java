package org.fibnuma.pfc.config;

import org.fibnuma.core.service.config.ConfigKey;
import org.fibnuma.core.service.config.ConfigTable;
import org.fibnuma.core.service.config.TomlSection;
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

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Reads the tables {@code [pfc]} and {@code [[pfc.port]]}. */
public final class PfcTableReader
{
    private static final int MAX_BYTES = Integer.MAX_VALUE;
    /** Without buffer-bytes: as many full frames as an egress FIFO of the router holds by default. */
    private static final int DEFAULT_XOFF_FRAMES = 64;
    /** The paper's marks are 9/10 and 1/10 of a queue. */
    private static final int XOFF_TO_XON = 9;
    private static final String PCP = "pcp";
    private static final String OFF = "off";
    private static final String NONE = "none";

    /** Keys of the links, of {@code [pfc]} and {@code [[pfc.port]]}. */
    private static final ConfigTable LINK_KEYS = new ConfigTable();

    private static final ConfigKey<Long> SPEED = LINK_KEYS.parsed(
        "speed", "gigabits or megabits per second", "2.5G", LinkSpeed::parse, "10G")
        .restart("Speed of the links. The headroom follows from it, `cable-m`, `mru`, `poll-us`, `ring-frames` and " +
            "`interface-ns`.");
    private static final ConfigKey<Double> CABLE_M = LINK_KEYS.number(
        "cable-m", 0, 100_000, HeadroomRequest.DEFAULT_CABLE_METERS).restart("Length of the cable in metres.");
    private static final ConfigKey<Integer> MRU = LINK_KEYS.integer(
        "mru", 64, 0xFFFF, EthernetHeaderFlyweight.MAX_PAYLOAD_LENGTH)
        .restart("Longest packet that arrives, in bytes.");
    private static final ConfigKey<Double> POLL_US = LINK_KEYS.number(
        "poll-us", 0, 10_000_000, HeadroomRequest.DEFAULT_POLL_NANOS / 1e3)
        .restart("Microseconds within which a forwarding worker polls its port again.");
    private static final ConfigKey<Integer> RING_FRAMES = LINK_KEYS.integer(
        "ring-frames", 0, 1 << 16, HeadroomRequest.DEFAULT_RING_FRAMES)
        .restart("Frames that a worker receives in one batch before it checks the thresholds.");
    private static final ConfigKey<Double> INTERFACE_NS = LINK_KEYS.number("interface-ns", 0, 1_000_000, null)
        .byDefault("18,944 bit times").restart("Delay of our MAC and PHY in both directions, in nanoseconds.");
    private static final ConfigKey<Integer> XOFF_BYTES = LINK_KEYS.integer("xoff-bytes", 1, MAX_BYTES, null)
        .byDefault("computed").restart("Length of a queue above which the sender is paused.");
    private static final ConfigKey<Integer> XON_BYTES = LINK_KEYS.integer("xon-bytes", 0, MAX_BYTES, null)
        .byDefault("xoff / " + XOFF_TO_XON).restart("Length of a queue at or below which the sender may continue.");
    private static final ConfigKey<Integer> HEADROOM_BYTES = LINK_KEYS.integer("headroom-bytes", 0, MAX_BYTES, null)
        .byDefault("computed").restart("Room above xoff for what arrives after a pause is sent.");
    private static final ConfigKey<MacFlowControl> MAC = LINK_KEYS.oneOf(
        "mac", List.of(MacFlowControl.values()), MacFlowControl.OFF)
        .restart("Flow control of the device: `pfc` is 802.1Qbb, `pause` is 802.3 and stops all priorities.");

    private static final ConfigTable PORT_KEYS = new ConfigTable();

    private static final ConfigKey<String> PORT_NAME = PORT_KEYS.string("name", "name of a `[[port]]`", "left", null)
        .byDefault("required").restart("The port.");

    private static final ConfigTable KEYS = new ConfigTable();

    private static final ConfigKey<List<Integer>> LOSSLESS = KEYS.integers(
        "lossless", 0, MacControl.PRIORITIES - 1, List.of(3, 4))
        .restart("Lossless priorities. `[]` turns everything off.");
    private static final ConfigKey<String> CLASSIFY = KEYS.word("classify", List.of("dscp", PCP), "dscp")
        .restart("Field of a frame that decides its priority.");
    private static final ConfigKey<List<String>> DSCP_MAP = KEYS.strings("dscp-map", "`DSCP:PRIORITY`", "26:4")
        .restart("Priorities of single DSCPs. The priority of the others is DSCP >> 3.");
    private static final ConfigKey<PausePolicyKind> POLICY = KEYS.oneOf(
        "policy", List.of(PausePolicyKind.values()), PausePolicyKind.POOC)
        .restart("How pauses are chosen: `pooc` by two marks, `cdptc` by the pause-time law of `gain` and `divisor`, " +
            "`drain` by the time in which the queue drains.");
    private static final ConfigKey<Double> GAIN = KEYS.number("gain", 1e-3, 1e6, PauseTimeLaw.DEFAULT_GAIN)
        .restart("Gain of the pause-time law of `cdptc`.");
    private static final ConfigKey<Integer> DIVISOR = KEYS.integer(
        "divisor", 16, 128, PauseTimeDivisor.PRINTED.value())
        .restart("Divisor of the pause-time law of `cdptc`: 64 as printed in the paper, 16 or 128.");
    private static final ConfigKey<Integer> BUFFER_BYTES = KEYS.integer("buffer-bytes", 1, MAX_BYTES, null)
        .byDefault("no limit but the frames of the pools")
        .restart("Memory of all lossless queues, shared evenly.");
    private static final ConfigKey<Integer> ECN_MIN_BYTES = KEYS.integer("ecn-min-bytes", 0, MAX_BYTES, null)
        .byDefault("no marking, or 0 with an `ecn-max`").restart("Length of a queue from which frames are marked.");
    private static final ConfigKey<Double> ECN_MIN_PERCENT = KEYS.number("ecn-min-percent", 0, 100, null)
        .byDefault(NONE).restart("The same in percent of `buffer-bytes`, in place of bytes.");
    private static final ConfigKey<Integer> ECN_MAX_BYTES = KEYS.integer("ecn-max-bytes", 0, MAX_BYTES, null)
        .byDefault("that of `ecn-min`").restart("Length of a queue from which all frames are marked.");
    private static final ConfigKey<Double> ECN_MAX_PERCENT = KEYS.number("ecn-max-percent", 0, 100, null)
        .byDefault(NONE).restart("The same in percent of `buffer-bytes`, in place of bytes.");
    private static final ConfigKey<Double> ECN_MAX_PROBABILITY = KEYS.number("ecn-max-probability", 0, 1, 1.0)
        .restart("Share of the frames that are marked just below `ecn-max`.");
    private static final ConfigKey<String> WATCHDOG = KEYS.word("watchdog",
        Stream.concat(Arrays.stream(StormAction.values()).map(StormAction::key), Stream.of(OFF)).toList(),
        StormAction.DROP.key())
        .restart("What happens to the frames of a priority in a storm of pauses: `drop` drops them, `forward` " +
            "ignores the pauses, `alert` only logs the storm. `off` turns the watchdog off.");
    private static final ConfigKey<Integer> WATCHDOG_POLL_MS = KEYS.integer("watchdog-poll-ms",
        WatchdogSettings.MIN_MS, WatchdogSettings.MAX_DETECTION_MS, WatchdogSettings.DEFAULT_MS)
        .restart("Milliseconds between two checks.");
    private static final ConfigKey<Integer> WATCHDOG_DETECTION_MS = KEYS.integer("watchdog-detection-ms",
        WatchdogSettings.MIN_MS, WatchdogSettings.MAX_DETECTION_MS, WatchdogSettings.DEFAULT_MS)
        .restart("Milliseconds for which a queue is paused without a break before this is a storm.");
    private static final ConfigKey<Integer> WATCHDOG_RESTORE_MS = KEYS.integer("watchdog-restore-ms",
        WatchdogSettings.MIN_MS, WatchdogSettings.MAX_RESTORE_MS, WatchdogSettings.DEFAULT_MS)
        .restart("Milliseconds without a pause after which a storm is over.");
    private static final ConfigKey<List<TomlSection>> PORTS = KEYS.tables("port", PORT_KEYS)
        .restart("A port with other links. Keys that are not given have the values of `[pfc]`.");

    /** The table {@code [pfc]}, for the top of a file. */
    public static final ConfigTable TABLES = new ConfigTable();
    /** Key of the table. */
    public static final ConfigKey<TomlSection> PFC = TABLES.table("pfc", KEYS)
        .restart("Lossless priorities. Every key has a default. Bytes are bytes on the wire: 24 more for each frame " +
            "than its length without FCS.");

    static
    {
        KEYS.include(LINK_KEYS);
        PORT_KEYS.include(LINK_KEYS);
    }

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
        static LinkKeys of(final TomlSection table)
        {
            return new LinkKeys(
                table.get(SPEED), table.get(CABLE_M), table.get(MRU), table.get(POLL_US), table.get(RING_FRAMES),
                table.get(INTERFACE_NS, -1.0), table.get(XOFF_BYTES, 0), table.get(XON_BYTES, 0),
                table.get(HEADROOM_BYTES, 0), table.get(MAC));
        }

        LinkKeys overriddenBy(final TomlSection table)
        {
            return new LinkKeys(
                table.get(SPEED, bitsPerSecond),
                table.get(CABLE_M, cableMeters),
                table.get(MRU, mtu),
                table.get(POLL_US, pollMicros),
                table.get(RING_FRAMES, ringFrames),
                table.get(INTERFACE_NS, interfaceNanos),
                table.get(XOFF_BYTES, xoffBytes),
                table.get(XON_BYTES, xonBytes),
                table.get(HEADROOM_BYTES, headroomBytes),
                table.get(MAC, mac));
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
                table.wrong(SPEED, ex.getMessage());
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
     * @param root  of the file, with {@link #TABLES}.
     * @param ports names of the router's ports.
     * @return null if the file has no table {@code [pfc]}.
     */
    public static PfcConfig read(final TomlSection root, final List<String> ports)
    {
        final TomlSection section = root.get(PFC);
        return section == null ? null : new PfcTableReader(section, ports).read();
    }

    private PfcConfig read()
    {
        final int lossless = lossless();
        final int line = section.line();
        final long buffer = section.get(BUFFER_BYTES, 0);
        shareBytes = buffer / Math.max(1, ports.size() * Integer.bitCount(lossless));
        final LinkKeys keys = LinkKeys.of(section);
        final PfcConfig config = new PfcConfig(
            line,
            lossless,
            classifier(),
            section.get(POLICY),
            new PauseTimeLaw(section.get(GAIN), divisor()),
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
        int priorities = 0;
        for (final int priority : section.get(LOSSLESS))
        {
            priorities |= 1 << priority;
        }
        return priorities;
    }

    private PriorityClassifier classifier()
    {
        final String classify = section.get(CLASSIFY);
        final byte[] map = PriorityClassifier.classSelectors();
        for (final String entry : section.get(DSCP_MAP))
        {
            section.parse(DSCP_MAP, entry, text -> putDscp(map, text), null);
        }
        return PCP.equals(classify) ? PriorityClassifier.byPcp() : PriorityClassifier.byDscp(map);
    }

    private static byte[] putDscp(final byte[] map, final String entry)
    {
        if (!entry.matches("\\d{1,2}:[0-7]") || Integer.parseInt(entry.substring(0, entry.indexOf(':'))) >= map.length)
        {
            throw new IllegalArgumentException("\"" + entry + "\" is not DSCP:PRIORITY, such as \"26:4\"");
        }
        map[Integer.parseInt(entry.substring(0, entry.indexOf(':')))] = (byte)(entry.charAt(entry.length() - 1) - '0');
        return map;
    }

    private PauseTimeDivisor divisor()
    {
        final int value = section.get(DIVISOR);
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
        final long xon = table.has(XON_BYTES) || keys.xonBytes > 0 ? keys.xonBytes : xoff / XOFF_TO_XON;
        return new PfcLink(port, line, keys.bitsPerSecond, xoff, xon, headroom, needed, keys.mac);
    }

    private Map<String, PfcLink> links(final LinkKeys base)
    {
        final Map<String, PfcLink> links = new HashMap<>();
        for (final TomlSection port : section.get(PORTS))
        {
            final String name = port.get(PORT_NAME, "");
            if (!ports.contains(name))
            {
                port.wrong(PORT_NAME, "unknown port \"" + name + "\"; use one of " + String.join(", ", ports));
            }
            else if (links.containsKey(name))
            {
                port.wrong(PORT_NAME, "port \"" + name + "\" has two tables; remove one");
            }
            links.put(name, link(name, port.lineOf(PORT_NAME), base.overriddenBy(port), port));
            port.refuseUnknownKeys();
        }
        return Map.copyOf(links);
    }

    private EcnSettings ecn(final long buffer)
    {
        final long min = ecnBytes(ECN_MIN_BYTES, ECN_MIN_PERCENT, buffer);
        final long max = ecnBytes(ECN_MAX_BYTES, ECN_MAX_PERCENT, buffer);
        final double probability = section.get(ECN_MAX_PROBABILITY);
        if (min < 0 && max < 0)
        {
            return null;
        }
        return new EcnSettings(section.lineOf(section.has(ECN_MIN_BYTES) ? ECN_MIN_BYTES : ECN_MIN_PERCENT),
            Math.max(0, min), max < 0 ? Math.max(0, min) : max, probability);
    }

    /** Returns a mark in bytes, from bytes or from percent of buffer-bytes; -1 if neither key is set. */
    private long ecnBytes(final ConfigKey<Integer> bytes, final ConfigKey<Double> percent, final long buffer)
    {
        if (section.has(percent))
        {
            if (section.has(bytes))
            {
                section.wrong(percent, "and " + bytes.name() + " are both set; remove one");
            }
            if (buffer == 0)
            {
                section.wrong(percent, "needs buffer-bytes; set that, or use " + bytes.name());
            }
            return (long)(section.get(percent, 0.0) / 100 * buffer);
        }
        return section.get(bytes, -1);
    }

    private WatchdogSettings watchdog()
    {
        final String action = section.get(WATCHDOG);
        final WatchdogSettings settings = new WatchdogSettings(
            section.get(WATCHDOG_POLL_MS), section.get(WATCHDOG_DETECTION_MS), section.get(WATCHDOG_RESTORE_MS),
            OFF.equals(action) ? StormAction.ALERT : StormAction.of(action));
        return OFF.equals(action) ? null : settings;
    }
}
