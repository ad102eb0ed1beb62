package org.fibnuma.fabric.sonic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.pfc.headroom.Headroom;
import org.fibnuma.pfc.quanta.LinkSpeed;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;

/**
 * A copy of a switch's configuration, with what its lossless ports lack: PFC, a watchdog, headroom, ECN before PFC.
 * Sufficient settings stay as they are. Maps of DSCPs, traffic classes and queues are those of the site: they are used
 * and never changed.
 */
final class SwitchTarget
{
    private static final String PORT_QOS_MAP = "PORT_QOS_MAP";
    private static final String PFC_WD = "PFC_WD";
    private static final String BUFFER_PG = "BUFFER_PG";
    private static final String BUFFER_PROFILE = "BUFFER_PROFILE";
    private static final String BUFFER_POOL = "BUFFER_POOL";
    private static final String LOSSLESS_POOL = "ingress_lossless_pool";
    /** Default of SONiC's watchdog for interval, detection and restoration, in milliseconds. */
    private static final int WATCHDOG_MILLIS = 200;
    private static final Map<String, String> MAPS = new TreeMap<>(Map.of(
        "dscp_to_tc_map", "DSCP_TO_TC_MAP", "tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP",
        "tc_to_queue_map", "TC_TO_QUEUE_MAP", "pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE"));

    private final SonicSwitch owner;
    private final ObjectNode root;
    private final ConfigDatabase target;
    private final HeadroomRule headroom;

    /** Copies the configuration of a switch. */
    SwitchTarget(final SonicSwitch owner, final HeadroomRule headroom)
    {
        this.owner = owner;
        this.root = owner.database().root().deepCopy();
        this.target = new ConfigDatabase(owner.database().file(), root);
        this.headroom = headroom;
    }

    ConfigDatabase database()
    {
        return target;
    }

    /** Returns the entry of a key in a table, and creates table and entry if they do not exist. */
    ObjectNode entry(final String table, final String key)
    {
        target.entry(table, key);
        return root.withObjectProperty(table).withObjectProperty(key);
    }

    /** Makes priorities lossless on a port; {@code mtu} is the longest packet of both ends in bytes. */
    void makeLossless(final SonicPort port, final Set<Integer> priorities, final int mtu)
    {
        enable(port, PortQos.list(priorities));
        watch(port);
        for (final int priority : priorities)
        {
            reserve(port, priority, mtu);
            mark(port, priority);
        }
    }

    private void enable(final SonicPort port, final String priorities)
    {
        final String known = qos().qosKey(port.name());
        final ObjectNode entry = entry(PORT_QOS_MAP, known == null ? port.name() : known);
        entry.put("pfc_enable", priorities);
        entry.put("pfcwd_sw_enable", priorities);
        MAPS.forEach((field, table) ->
        {
            final boolean isDscp = field.equals("dscp_to_tc_map");
            final boolean isClassified = isDscp && (entry.has("dot1p_to_tc_map") ||
                target.text(PORT_QOS_MAP, "global", field) != null);
            if (!entry.has(field) && !isClassified)
            {
                entry.put(field, mapOf(port, field, table));
            }
        });
    }

    private String mapOf(final SonicPort port, final String field, final String table)
    {
        final Map<String, JsonNode> maps = target.entries(table);
        if (maps.size() == 1 || maps.containsKey("AZURE"))
        {
            return maps.size() == 1 ? maps.keySet().iterator().next() : "AZURE";
        }
        throw target.fault(PORT_QOS_MAP, port.name(), "has no " + field + ", and " + table + " has " +
            (maps.isEmpty() ? "no entry; run config qos reload first" : "several entries; choose one"));
    }

    private void watch(final SonicPort port)
    {
        final ObjectNode global = entry(PFC_WD, "GLOBAL");
        if (!global.has("POLL_INTERVAL"))
        {
            global.put("POLL_INTERVAL", String.valueOf(WATCHDOG_MILLIS));
        }
        final long poll = target.number(PFC_WD, "GLOBAL", "POLL_INTERVAL", WATCHDOG_MILLIS, 100, 1000);
        final ObjectNode entry = entry(PFC_WD, port.name());
        if (!entry.has("action"))
        {
            entry.put("action", "drop");
        }
        for (final String field : new String[]{"detection_time", "restoration_time"})
        {
            if (target.number(PFC_WD, port.name(), field, 0, 0, 60_000) < poll)
            {
                entry.put(field, String.valueOf(Math.max(poll, WATCHDOG_MILLIS)));
            }
        }
    }

    private void reserve(final SonicPort port, final int priority, final int mtu)
    {
        final PortQos qos = qos();
        final int group = qos.group(port.name(), priority);
        final String profile = qos.profile(port.name(), group);
        if ("dynamic".equals(target.text("DEVICE_METADATA", "localhost", "buffer_model")))
        {
            if (profile == null)
            {
                entry(BUFFER_PG, port.name() + "|" + group).put("profile", "NULL");
            }
            return;
        }
        final Headroom needed = need(port, mtu);
        if (isSufficient(profile, port, mtu))
        {
            return;
        }
        final String name = "pg_lossless_" + port.bitsPerSecond() / LinkSpeed.MEGABIT + "_" + port.cableMeters() +
            "m_profile";
        if (!isSufficient(name, port, mtu))
        {
            enlarge(name, needed);
        }
        if (!name.equals(profile))
        {
            final Set<Integer> groups = numbers(qos, port, each -> qos.group(port.name(), each));
            entry(BUFFER_PG, key(BUFFER_PG, port, group, qos.groupKey(port.name(), group), groups))
                .put("profile", name);
        }
    }

    private Headroom need(final SonicPort port, final int mtu)
    {
        if (port.cableMeters() <= 0 || port.bitsPerSecond() == 0)
        {
            throw target.fault("PORT", port.name(), (port.bitsPerSecond() == 0 ? "has no speed" :
                "CABLE_LENGTH has no length for it") + ", so its headroom is unknown; add it");
        }
        try
        {
            return headroom.need(port, mtu);
        }
        catch (final IllegalArgumentException ex)
        {
            throw target.fault("PORT", port.name(), ex.getMessage());
        }
    }

    private boolean isSufficient(final String profile, final SonicPort port, final int mtu)
    {
        if (profile == null || profile.equals("NULL") || !target.entry(BUFFER_PROFILE, profile).has("xoff"))
        {
            return false;
        }
        final long xoff = bytes(BUFFER_PROFILE, profile, "xoff");
        final boolean isShared = isShared(target.reference(BUFFER_PROFILE, profile, "pool"));
        return xoff >= headroom.leastXoff(profile, port, mtu) &&
            (isShared || bytes(BUFFER_PROFILE, profile, "size") >= xoff);
    }

    /** Creates a profile, or raises xoff and size of an existing one. */
    private void enlarge(final String name, final Headroom needed)
    {
        final ObjectNode entry = entry(BUFFER_PROFILE, name);
        if (!entry.has("pool"))
        {
            entry.put("pool", LOSSLESS_POOL);
        }
        final String pool = target.reference(BUFFER_PROFILE, name, "pool");
        if (target.entry(BUFFER_POOL, pool).isMissingNode())
        {
            throw target.fault(BUFFER_POOL, pool, "does not exist; run config qos reload first");
        }
        if (!entry.has("dynamic_th") && !entry.has("static_th"))
        {
            entry.put("dynamic_th", "0");
        }
        if (!entry.has("xon"))
        {
            entry.put("xon", String.valueOf(needed.xon()));
        }
        final long xoff = Math.max(needed.xoff(), bytes(BUFFER_PROFILE, name, "xoff"));
        final long xon = bytes(BUFFER_PROFILE, name, "xon");
        entry.put("xoff", String.valueOf(xoff));
        entry.put("size", String.valueOf(
            Math.max(bytes(BUFFER_PROFILE, name, "size"), isShared(pool) ? xon : xon + xoff)));
    }

    private boolean isShared(final String pool)
    {
        return pool != null && bytes(BUFFER_POOL, pool, "xoff") > 0;
    }

    private long bytes(final String table, final String key, final String field)
    {
        return target.number(table, key, field, 0, 0, Long.MAX_VALUE);
    }

    /** Returns the group or queue of each lossless priority of a port. */
    private static Set<Integer> numbers(final PortQos qos, final SonicPort port, final IntUnaryOperator numberOf)
    {
        final Set<Integer> numbers = new TreeSet<>();
        qos.lossless(port.name()).forEach(priority -> numbers.add(numberOf.applyAsInt(priority)));
        return numbers;
    }

    /** Returns the key to change: a new one, or the known one if it contains only this port and these numbers. */
    private String key(
        final String table, final SonicPort port, final int number, final String known, final Set<Integer> numbers)
    {
        final String own = port.name() + "|" + number;
        if (known == null || known.equals(own))
        {
            return own;
        }
        final String range = known.substring(known.indexOf('|') + 1);
        final int last = Integer.parseInt(range.replaceFirst(".*-", ""));
        boolean isOurs = known.startsWith(port.name() + "|");
        for (int each = Integer.parseInt(range.replaceFirst("-.*", "")); each <= last; each++)
        {
            isOurs &= numbers.contains(each);
        }
        if (!isOurs)
        {
            throw target.fault(table, known, "contains several ports, or lossless and other numbers; split it");
        }
        return known;
    }

    /**
     * Marks ECN from half of the queue length at which a single ingress port is paused, and every frame from that
     * length on. Changes nothing if the configuration has no threshold.
     */
    private void mark(final SonicPort port, final int priority)
    {
        final PortQos qos = qos();
        final LosslessCheck check = new LosslessCheck(
            new SonicSwitch(target, owner.name()), qos, headroom, finding -> { });
        final double paused = check.egressLengthAtPause(port, priority, 1);
        final int queue = qos.queue(port.name(), priority);
        if (Double.isInfinite(paused) || check.isMarkedBefore(port, queue, paused))
        {
            return;
        }
        final String name = "LOSSLESS_" + (long)paused;
        final ObjectNode profile = entry("WRED_PROFILE", name);
        profile.put("ecn", "ecn_all");
        for (final String color : new String[]{"green", "yellow", "red"})
        {
            profile.put("wred_" + color + "_enable", "true");
            profile.put(color + "_min_threshold", String.valueOf((long)paused / 2));
            profile.put(color + "_max_threshold", String.valueOf((long)paused));
            profile.put(color + "_drop_probability", "100");
        }
        final Set<Integer> queues = numbers(qos, port, each -> qos.queue(port.name(), each));
        entry("QUEUE", key("QUEUE", port, queue, qos.queueKey(port.name(), queue), queues)).put("wred_profile", name);
    }

    private PortQos qos()
    {
        return new PortQos(target);
    }
}
