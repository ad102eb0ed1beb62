package org.fibnuma.fabric.sonic;

import org.fibnuma.pfc.headroom.Headroom;
import org.fibnuma.pfc.quanta.LinkSpeed;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Checks of one lossless port: maps, watchdog, headroom, ECN before PFC. */
final class LosslessCheck
{
    private static final String PFC_WD = "PFC_WD";
    private static final String BUFFER_PROFILE = "BUFFER_PROFILE";
    private static final String BUFFER_POOL = "BUFFER_POOL";
    private static final String WRED_PROFILE = "WRED_PROFILE";
    /** With fewer ingress ports at a time, an egress port is not congested, unless it is slower or stopped. */
    private static final int FEWEST_INGRESS_PORTS = 2;

    private static final List<String> COLORS = List.of("green", "yellow", "red");

    private final SonicSwitch owner;
    private final ConfigDatabase database;
    private final PortQos qos;
    private final HeadroomRule headroom;
    private final Consumer<Finding> findings;

    LosslessCheck(
        final SonicSwitch owner,
        final PortQos qos,
        final HeadroomRule headroom,
        final Consumer<Finding> findings)
    {
        this.owner = owner;
        this.database = owner.database();
        this.qos = qos;
        this.headroom = headroom;
        this.findings = findings;
    }

    /** Checks a port. {@code peerMtu} is the longest packet of its other end in bytes, 0 if that is unknown. */
    void check(final SonicPort port, final int peerMtu)
    {
        final Set<Integer> lossless = qos.lossless(port.name());
        checkWatchdog(port, lossless);
        for (final int priority : lossless)
        {
            checkMaps(port, priority);
            checkHeadroom(port, priority, Math.max(port.mtu(), peerMtu));
            checkEcn(port, priority);
        }
    }

    private void checkMaps(final SonicPort port, final int priority)
    {
        final Set<Integer> classes = qos.classesOfQueue(port.name(), qos.queue(port.name(), priority));
        if (classes.isEmpty())
        {
            error("pfc", port, "no traffic class is in queue %d, which priority %d stops; add tc_to_queue_map",
                qos.queue(port.name(), priority), priority);
            return;
        }
        if (qos.dscps(port.name(), priority).isEmpty() && qos.dot1ps(port.name(), classes).isEmpty())
        {
            error("pfc", port, "no DSCP is mapped to lossless priority %d; add one to dscp_to_tc_map", priority);
        }
        final Map<Integer, Integer> groups = qos.groups(port.name());
        for (final int each : classes)
        {
            final Integer group = groups.get(each);
            if (group == null || group != qos.group(port.name(), priority))
            {
                error("pfc", port, "traffic class %d is in queue %d of priority %d, but in priority group %s instead " +
                    "of %d, so no pause is sent for it; correct tc_to_pg_map", each,
                    qos.queue(port.name(), priority), priority, group == null ? "none" : group,
                    qos.group(port.name(), priority));
            }
        }
    }

    private void checkWatchdog(final SonicPort port, final Set<Integer> lossless)
    {
        if (database.entry(PFC_WD, port.name()).isMissingNode())
        {
            error("watchdog", port, "PFC_WD has no entry, so a pause storm is not ended; add action, detection_time " +
                "and restoration_time");
            return;
        }
        final String action = database.text(PFC_WD, port.name(), "action");
        if (action != null && !Set.of("drop", "forward", "alert").contains(action))
        {
            throw database.fault(PFC_WD, port.name(), "action \"" + action + "\" is not drop, forward or alert");
        }
        if ("alert".equals(action))
        {
            warn("watchdog", port, "action alert reports a pause storm and does not end it");
        }
        final long poll = database.number(PFC_WD, "GLOBAL", "POLL_INTERVAL", 200, 100, 1000);
        final long detection = database.number(PFC_WD, port.name(), "detection_time", 0, 100, 5000);
        final long restoration = database.number(PFC_WD, port.name(), "restoration_time", poll, 100, 60_000);
        if (detection == 0)
        {
            error("watchdog", port, "PFC_WD has no detection_time, so the watchdog does not start; add it");
        }
        else if (detection < poll || restoration < poll)
        {
            error("watchdog", port, "detection_time of %d ms or restoration_time of %d ms is below the poll " +
                "interval of %d ms; raise it", detection, restoration, poll);
        }
        final Set<Integer> watched = qos.watched(port.name());
        if (watched == null)
        {
            warn("watchdog", port, "PORT_QOS_MAP has no pfcwd_sw_enable, which releases from 202205 need; add \"%s\"",
                PortQos.list(lossless));
        }
        else if (!watched.containsAll(lossless))
        {
            final Set<Integer> missing = new TreeSet<>(lossless);
            missing.removeAll(watched);
            error("watchdog", port, "pfcwd_sw_enable lacks lossless priority %s; add it", PortQos.list(missing));
        }
    }

    private void checkHeadroom(final SonicPort port, final int priority, final int mtu)
    {
        final int group = qos.group(port.name(), priority);
        final String profile = qos.profile(port.name(), group);
        final boolean isDynamic = "dynamic".equals(database.text("DEVICE_METADATA", "localhost", "buffer_model"));
        if (port.cableMeters() == 0)
        {
            error("headroom", port, "the cable length is 0m, for which no lossless buffer is made; correct it");
            return;
        }
        if (profile == null || profile.equals("NULL") || database.text(BUFFER_PROFILE, profile, "xoff") == null)
        {
            if (profile != null && !profile.equals("NULL") && !isDynamic)
            {
                error("headroom", port, "profile %s of priority group %d has no xoff, so frames of priority %d are " +
                    "lost; use a lossless profile", profile, group, priority);
            }
            else if (!isDynamic)
            {
                warn("headroom", port, "priority group %d has no profile in the configuration; the switch takes it " +
                    "from pg_profile_lookup.ini, which is not checked", group);
            }
            else if (port.cableMeters() < 0)
            {
                error("headroom", port, "the switch computes the headroom, but CABLE_LENGTH has no length; add it");
            }
            return;
        }
        if (port.cableMeters() < 0 || port.bitsPerSecond() == 0)
        {
            warn("headroom", port, "%s is not configured, so xoff of priority group %d is not checked; add it",
                port.cableMeters() < 0 ? "the cable length" : "the speed", group);
            return;
        }
        compareHeadroom(port, group, profile, mtu);
    }

    private void compareHeadroom(final SonicPort port, final int group, final String profile, final int mtu)
    {
        final long xoff = database.number(BUFFER_PROFILE, profile, "xoff", 0, 0, Long.MAX_VALUE);
        final Headroom needed;
        try
        {
            needed = headroom.need(port, mtu);
        }
        catch (final IllegalArgumentException ex)
        {
            warn("headroom", port, "xoff of priority group %d is not checked: %s", group, ex.getMessage());
            return;
        }
        if (xoff < headroom.leastXoff(profile, port, mtu))
        {
            error("headroom", port, "xoff of %d bytes in profile %s is below the %d that arrive after a pause at %s " +
                "over %d m with packets of %d bytes; raise it", xoff, profile, needed.xoff(),
                LinkSpeed.format(port.bitsPerSecond()), port.cableMeters(), mtu);
        }
        else if (xoff < needed.xoff())
        {
            warn("headroom", port, "xoff of %d bytes in profile %s is below the %d of formula %s at %s over %d m " +
                "with packets of %d bytes; %s may have its own: compare with its pg_profile_lookup.ini, or choose a " +
                "formula with --headroom", xoff, profile, needed.xoff(), headroom.model().key(),
                LinkSpeed.format(port.bitsPerSecond()), port.cableMeters(), mtu, switchModel());
        }
        final String pool = database.reference(BUFFER_PROFILE, profile, "pool");
        if (pool == null || database.entry(BUFFER_POOL, pool).isMissingNode())
        {
            throw database.fault(BUFFER_PROFILE, profile, "pool: BUFFER_POOL has no entry \"" + pool + "\"");
        }
        final long shared = database.number(BUFFER_POOL, pool, "xoff", 0, 0, Long.MAX_VALUE);
        final long reserved = database.number(BUFFER_PROFILE, profile, "size", 0, 0, Long.MAX_VALUE);
        if (shared == 0 && reserved < xoff)
        {
            error("headroom", port, "profile %s reserves %d bytes, less than its xoff of %d, and pool %s has no " +
                "shared headroom (xoff); raise size or add it", profile, reserved, xoff, pool);
        }
        else if (shared > 0 && shared < xoff)
        {
            error("headroom", port, "the shared headroom of pool %s has %d bytes, less than xoff of %d in profile " +
                "%s; raise it", pool, shared, xoff, profile);
        }
    }

    private String switchModel()
    {
        final String sku = database.text("DEVICE_METADATA", "localhost", "hwsku");
        final String platform = database.text("DEVICE_METADATA", "localhost", "platform");
        return sku != null ? sku : platform != null ? platform : "the switch, of an unknown model,";
    }

    private void checkEcn(final SonicPort port, final int priority)
    {
        final int queue = qos.queue(port.name(), priority);
        final String wred = qos.wredProfile(port.name(), queue);
        final String mode = wred == null ? null : database.text(WRED_PROFILE, wred, "ecn");
        if (mode == null || mode.equals("ecn_none"))
        {
            warn("ecn", port, "queue %d of priority %d does not mark ECN, so only PFC slows senders down; %s", queue,
                priority, wred == null ? "add a wred_profile" : "set ecn in WRED_PROFILE|" + wred);
            return;
        }
        for (final String color : COLORS)
        {
            if (isMarked(mode, color))
            {
                checkMarking(port, priority, wred, color);
            }
        }
    }

    private void checkMarking(final SonicPort port, final int priority, final String wred, final String color)
    {
        final long min = threshold(wred, color, "min");
        final long max = threshold(wred, color, "max");
        if (min < 0 || max < 0)
        {
            error("ecn", port, "WRED_PROFILE|%s marks %s frames without thresholds; add %s_min_threshold and " +
                "%s_max_threshold", wred, color, color, color);
            return;
        }
        if (max < min)
        {
            error("ecn", port, "WRED_PROFILE|%s: %s_max_threshold of %d is below the minimum of %d; swap them",
                wred, color, max, min);
        }
        final double one = egressLengthAtPause(port, priority, 1);
        final double two = egressLengthAtPause(port, priority, FEWEST_INGRESS_PORTS);
        if (min >= two)
        {
            error("ecn", port, "PFC before ECN: two ingress ports are paused when queue %d has %.0f bytes, and " +
                "WRED_PROFILE|%s marks %s frames from %d; lower it", qos.queue(port.name(), priority), two, wred,
                color, min);
        }
        else if (min >= one)
        {
            warn("ecn", port, "a single ingress port is paused when queue %d has %.0f bytes, and WRED_PROFILE|%s " +
                "marks %s frames from %d; start below to mark before PFC there too",
                qos.queue(port.name(), priority), one, wred, color, min);
        }
    }

    /** Returns whether a queue marks ECN from a length below the given one, in bytes, in every color that it marks. */
    boolean isMarkedBefore(final SonicPort port, final int queue, final double length)
    {
        final String wred = qos.wredProfile(port.name(), queue);
        final String mode = wred == null ? null : database.text(WRED_PROFILE, wred, "ecn");
        boolean isBefore = mode != null && !mode.equals("ecn_none");
        for (final String color : isBefore ? COLORS : List.<String>of())
        {
            if (isMarked(mode, color))
            {
                final long min = threshold(wred, color, "min");
                isBefore &= min >= 0 && min < length && threshold(wred, color, "max") >= min;
            }
        }
        return isBefore;
    }

    private static boolean isMarked(final String mode, final String color)
    {
        return mode.equals("ecn_all") || mode.contains(color);
    }

    private long threshold(final String wred, final String color, final String end)
    {
        final long own = database.number(
            WRED_PROFILE, wred, "ecn_" + color + "_" + end + "_threshold", -1, 0, Long.MAX_VALUE);
        return own >= 0 ? own :
            database.number(WRED_PROFILE, wred, color + "_" + end + "_threshold", -1, 0, Long.MAX_VALUE);
    }

    /**
     * Returns the length in bytes of an egress queue when its ingress ports are paused. All of them share the queue,
     * and the rest of the pool is free. The length is infinite if the configuration does not contain the threshold.
     * With a dynamic threshold each port may hold {@code alpha = 2^dynamic_th} times the free bytes. So m ports hold
     * {@code m alpha B / (1 + m alpha)} of a pool of B bytes.
     */
    double egressLengthAtPause(final SonicPort port, final int priority, final int ingressPorts)
    {
        final String profile = qos.profile(port.name(), qos.group(port.name(), priority));
        if (profile == null || profile.equals("NULL"))
        {
            return Double.POSITIVE_INFINITY;
        }
        if (database.text(BUFFER_PROFILE, profile, "static_th") != null)
        {
            return (double)ingressPorts * database.number(
                BUFFER_PROFILE, profile, "static_th", 0, 0, Long.MAX_VALUE);
        }
        final String pool = database.reference(BUFFER_PROFILE, profile, "pool");
        final long size = pool == null ? 0 : database.number(BUFFER_POOL, pool, "size", 0, 0, Long.MAX_VALUE);
        if (size == 0 || database.text(BUFFER_PROFILE, profile, "dynamic_th") == null)
        {
            return Double.POSITIVE_INFINITY;
        }
        final double held = ingressPorts *
            Math.pow(2, database.number(BUFFER_PROFILE, profile, "dynamic_th", 0, -8, 8));
        return held * size / (1 + held);
    }

    private void error(final String subject, final SonicPort port, final String format, final Object... values)
    {
        add(true, subject, port, format, values);
    }

    private void warn(final String subject, final SonicPort port, final String format, final Object... values)
    {
        add(false, subject, port, format, values);
    }

    private void add(
        final boolean isError, final String subject, final SonicPort port, final String format, final Object... values)
    {
        findings.accept(new Finding(
            isError, subject, owner.name() + " " + port.name(), String.format(Locale.ROOT, format, values)));
    }
}
