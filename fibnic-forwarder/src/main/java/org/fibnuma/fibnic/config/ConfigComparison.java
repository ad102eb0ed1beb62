package org.fibnuma.fibnic.config;

import org.fibnuma.core.service.config.ConfigKey;
import org.fibnuma.core.service.config.PortSettingsReader;
import org.fibnuma.core.service.http.HttpConfig;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.fibnic.acl.AccessList;
import org.fibnuma.pfc.config.PfcConfig;
import org.fibnuma.pfc.config.PfcTableReader;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The differences between the configuration of a running router and another one: changes that the router can apply, and
 * keys that only a restart changes. Only the order of the rules in an access list counts as a difference, not that of
 * ports, access lists, routes, neighbours and VLANs.
 */
public final class ConfigComparison
{
    private static final String NONE = "none";

    private static final Map<ConfigKey<?>, Function<RouterConfig, Object>> FIXED = new LinkedHashMap<>();
    private static final Map<ConfigKey<?>, Function<LimitConfig, Object>> LIMITS = new LinkedHashMap<>();
    private static final Map<ConfigKey<?>, Function<PortConfig, Object>> FIXED_OF_PORT = new LinkedHashMap<>();
    private static final Map<ConfigKey<?>, Function<PortConfig, String>> LISTS_OF_PORT = new LinkedHashMap<>();

    static
    {
        FIXED.put(RouterKeys.NAME, RouterConfig::name);
        FIXED.put(RouterKeys.CONTROL, config -> config.control().mode().key());
        FIXED.put(RouterKeys.FPM_LISTEN, config -> ofFpm(config, FpmConfig::listenText));
        FIXED.put(RouterKeys.WORKERS, config -> config.workers().count());
        FIXED.put(RouterKeys.CORES, config -> config.workers().cores());
        FIXED.put(RouterKeys.IDLE, config -> config.workers().idle());
        FIXED.put(RouterKeys.ROUTES_FILE, config -> config.control().routesFile());
        FIXED.put(RouterKeys.SPARE_PORTS, config -> sizeText(config.sparePorts(), RouterConfig.DEFAULT_SPARE_PORTS));
        FIXED.put(RouterKeys.FRAME_SIZE,
            config -> sizeText(config.workers().frameSize(), WorkerConfig.FRAME_SIZE_OF_PORTS));
        FIXED.put(RouterKeys.FRAMES_PER_WORKER, config -> sizeText(config.workers().framesPerWorker(), 0));
        FIXED.put(RouterKeys.EGRESS_FIFO_DEPTH, config -> config.limits().egressFifoDepth());
        FIXED.put(RouterKeys.HOLD_FRAMES_PER_NEIGHBOR, config -> config.limits().holdFramesPerNeighbor());
        FIXED.put(RouterKeys.HOLD_FRAMES, config -> config.limits().holdFrames());
        FIXED.put(RouterKeys.HOLD_MS, config -> config.limits().holdMilliseconds());
        FIXED.put(RouterKeys.MAX_FLOWS, config -> config.limits().maxFlows());
        FIXED.put(RouterKeys.LOOSE_SOURCE_ROUTES, config -> config.forwarding().looseSourceRoutes());
        FIXED.put(RouterKeys.MARTIANS, config -> martiansText(config.forwarding(), config.control().mode()));
        FIXED.put(RouterKeys.OLD_BROADCASTS, config -> oldBroadcastsText(config.forwarding()));
        FIXED.put(RouterKeys.IPV6, config -> config.forwarding().ipv6());
        FIXED.put(RouterKeys.SEND_REDIRECTS, config -> config.forwarding().redirects());
        FIXED.put(PortSettingsReader.RX_RING_SIZE, config -> config.rings().rxRingSize());
        FIXED.put(PortSettingsReader.TX_RING_SIZE, config -> config.rings().txRingSize());
        FIXED.put(PortSettingsReader.BUSY_POLL_US, config -> config.rings().busyPollMicros());
        FIXED.put(PortSettingsReader.BUSY_POLL_BUDGET, config -> config.rings().busyPollBudget());
        FIXED.put(PortSettingsReader.ZERO_COPY, config -> config.rings().allowZeroCopy());

        LIMITS.put(RouterKeys.ICMP_ERRORS_PER_SECOND, LimitConfig::icmpErrorsPerSecond);
        LIMITS.put(RouterKeys.ICMP_ERROR_BURST, LimitConfig::icmpErrorBurst);
        LIMITS.put(RouterKeys.PUNTS_PER_SECOND, LimitConfig::puntsPerSecond);
        LIMITS.put(RouterKeys.FLOW_REFRESHES_PER_SECOND, LimitConfig::flowRefreshesPerSecond);

        FIXED_OF_PORT.put(PortReader.DEVICE, PortConfig::device);
        FIXED_OF_PORT.put(PortReader.QUEUES, port -> port.setsQueues() ? "auto" : null);
        FIXED_OF_PORT.put(PortReader.EXCEPTION, PortConfig::exception);
        FIXED_OF_PORT.put(PortReader.ADDRESS, PortConfig::addresses);
        FIXED_OF_PORT.put(PortReader.MAC, port -> macText(port.macAddress()));
        FIXED_OF_PORT.put(PortReader.MTU, port -> sizeText(port.mtu(), 0));
        FIXED_OF_PORT.put(PortReader.VLAN_PCP, PortConfig::vlanPcp);

        LISTS_OF_PORT.put(PortReader.ACL_IN, PortConfig::aclIn);
        LISTS_OF_PORT.put(PortReader.ACL_OUT, PortConfig::aclOut);
    }

    private final RouterConfig started;
    private final RouterConfig before;
    private final RouterConfig after;
    private final ConfigFile file;
    private final List<Change> changes = new ArrayList<>();
    private final List<String> refusals = new ArrayList<>();
    private final List<String> removedPorts = new ArrayList<>();
    private final List<PortConfig> addedPorts = new ArrayList<>();

    /**
     * A change that a running router can apply.
     *
     * @param subject what changes, such as {@code acl edge}, {@code port left} or {@code limits}.
     * @param change  from the old to the new state.
     */
    public record Change(String subject, String change)
    {
        /** Returns the change as one line. */
        public String text()
        {
            return subject + ": " + change;
        }
    }

    private ConfigComparison(final RouterConfig started, final RouterConfig before, final ConfigFile file)
    {
        this.started = started;
        this.before = before;
        this.file = file;
        this.after = file.config();
    }

    /**
     * Compares two configurations.
     *
     * @param started configuration at the start, as it was read. Its {@code xdp:} ports can be removed and added again;
     *                new ones can be added if it {@linkplain RouterConfig#takesNewPorts() takes them}.
     * @param before  configuration in force, as it was read.
     * @param file    configuration to apply.
     * @return the differences.
     */
    public static ConfigComparison of(final RouterConfig started, final RouterConfig before, final ConfigFile file)
    {
        final ConfigComparison comparison = new ConfigComparison(started, before, file);
        comparison.compareRouter();
        comparison.comparePorts();
        comparison.compareTables();
        comparison.compareLists();
        return comparison;
    }

    /** Returns the changes that a running router can apply; empty if nothing differs. */
    public List<Change> changes()
    {
        return List.copyOf(changes);
    }

    /**
     * Returns a line for each key that only a restart changes: {@code FILE:LINE: KEY: OLD -> NEW needs a restart}. No
     * change may be applied unless this is empty.
     */
    public List<String> refusals()
    {
        return List.copyOf(refusals);
    }

    /** Returns the names of the ports that are to be removed. */
    public List<String> removedPorts()
    {
        return List.copyOf(removedPorts);
    }

    /**
     * Returns the ports that are to be added. If the router does not {@link RouterConfig#takesNewPorts()}, it was
     * started with all of them.
     */
    public List<PortConfig> addedPorts()
    {
        return List.copyOf(addedPorts);
    }

    private void compareRouter()
    {
        FIXED.forEach((key, value) -> requireSame(
            file.lineOfRouter(key), "router." + key.name(), value.apply(before), value.apply(after)));
        change("router", RouterKeys.LOG_LEVEL, before.logLevel().key(), after.logLevel().key());
        LIMITS.forEach((key, value) -> change(
            "limits", key, value.apply(before.limits()), value.apply(after.limits())));
        change("control", RouterKeys.NEIGHBOR_REFRESH_SECONDS,
            before.control().neighborRefreshSeconds(), after.control().neighborRefreshSeconds());
        change("control", RouterKeys.FIREWALL, before.control().firewall().key(), after.control().firewall().key());
        change("control", RouterKeys.IGNORE_RULES, before.control().ignoreRules(), after.control().ignoreRules());
        if (before.control().fpm() != null && after.control().fpm() != null)
        {
            change("control", RouterKeys.FPM_STALE_SECONDS,
                before.control().fpm().staleSeconds(), after.control().fpm().staleSeconds());
        }
    }

    private void comparePorts()
    {
        for (final PortConfig port : before.ports())
        {
            final PortConfig other = after.port(port.name());
            if (other != null)
            {
                comparePort(port, other);
            }
            else if (port.isXdp())
            {
                removedPorts.add(port.name());
                changes.add(new Change("port " + port.name(), "removed"));
            }
            else
            {
                refuse(file.lineOfTable(RouterKeys.PORTS), "port.name", port.name(), NONE);
            }
        }
        after.ports().stream().filter(port -> before.port(port.name()) == null).forEach(this::compareNewPort);
    }

    private void compareNewPort(final PortConfig port)
    {
        final PortConfig known = started.port(port.name());
        final boolean isNew = started.takesNewPorts() && (known == null || known.isXdp());
        if (isNew && !port.device().startsWith(PortConfig.XDP))
        {
            refuse(file.lineOfPort(port.name(), PortReader.DEVICE), "port.device", NONE, port.device());
            return;
        }
        if (!isNew && known == null)
        {
            refuse(file.lineOfPort(port.name(), PortReader.NAME), "port.name", NONE, port.name());
            return;
        }
        addedPorts.add(port);
        changes.add(new Change("port " + port.name(), "added"));
        if (!isNew)
        {
            requireSamePort(known, port);
        }
    }

    private void comparePort(final PortConfig port, final PortConfig other)
    {
        requireSamePort(port, other);
        LISTS_OF_PORT.forEach((key, value) -> change(
            "port " + port.name(), key, value.apply(port), value.apply(other)));
    }

    private void requireSamePort(final PortConfig port, final PortConfig other)
    {
        FIXED_OF_PORT.forEach((key, value) -> requireSame(
            file.lineOfPort(port.name(), key), "port." + key.name(), value.apply(port), value.apply(other)));
        requireSameRows(file.lineOfPort(port.name(), PortReader.VLANS), "port.vlan", vlans(port), vlans(other));
    }

    private void compareTables()
    {
        final PfcConfig pfc = before.pfc();
        if (!Objects.equals(withoutLines(pfc), withoutLines(after.pfc())))
        {
            refuse(file.lineOfTable(PfcTableReader.PFC), "pfc", pfc == null ? NONE : "the running settings",
                after.pfc() == null ? NONE : "other settings");
        }
        compareHttp(before.http(), after.http());
        requireSameRows(file.lineOfTable(RouterKeys.ROUTES), "route", routes(before), routes(after));
        requireSameRows(file.lineOfTable(RouterKeys.NEIGHBORS), "neighbor", neighbors(before), neighbors(after));
    }

    private void compareHttp(final HttpConfig http, final HttpConfig other)
    {
        requireSame(file.lineOfHttp(HttpConfig.LISTEN), "http.listen", listenText(http), listenText(other));
        if (http != null && other != null)
        {
            requireSame(file.lineOfHttp(HttpConfig.ALLOW_OTHER_HOSTS), "http.allow-other-hosts",
                http.allowOtherHosts(), other.allowOtherHosts());
            requireSame(file.lineOfHttp(HttpConfig.ALLOW_OTHER_USERS), "http.allow-other-users",
                http.allowOtherUsers(), other.allowOtherUsers());
            requireSame(file.lineOfHttp(HttpConfig.HOST_NAMES), "http.host-names", http.hostNames(), other.hostNames());
        }
    }

    private static String listenText(final HttpConfig http)
    {
        return http == null ? null : http.listenText();
    }

    private void compareLists()
    {
        for (final AccessList list : before.acls())
        {
            final AccessList other = list(after, list.name());
            if (other == null)
            {
                changes.add(new Change("acl " + list.name(), "removed"));
            }
            else if (!list.judgesAs(other))
            {
                changes.add(new Change("acl " + list.name(), replacement(list, other)));
            }
        }
        after.acls().stream().filter(list -> list(before, list.name()) == null).forEach(list ->
            changes.add(new Change("acl " + list.name(), "added with " + rules(list.rules().size()))));
    }

    private static String replacement(final AccessList list, final AccessList other)
    {
        final int[] same = other.sameRulesIn(list);
        final long kept = IntStream.of(same).limit(other.rules().size()).filter(rule -> rule >= 0).count();
        return rules(list.rules().size()) + " replaced by " + other.rules().size() + ", counters of " + kept + " kept" +
            (list.defaultAction() == other.defaultAction() ? "" :
                ", default " + list.defaultAction().key() + " -> " + other.defaultAction().key());
    }

    private static String rules(final int count)
    {
        return count + (count == 1 ? " rule" : " rules");
    }

    private void change(final String subject, final ConfigKey<?> key, final Object old, final Object now)
    {
        if (!Objects.equals(old, now))
        {
            changes.add(new Change(subject, key.name() + " " + text(old) + " -> " + text(now)));
        }
    }

    private void requireSame(final int line, final String key, final Object old, final Object now)
    {
        if (!Objects.equals(old, now))
        {
            refuse(line, key, text(old), text(now));
        }
    }

    /** Compares rows in any order; a refusal has the first row of each file that the other file does not have. */
    private void requireSameRows(final int line, final String key, final List<String> old, final List<String> now)
    {
        final List<String> removed = without(old, now);
        final List<String> added = without(now, old);
        if (!removed.isEmpty() || !added.isEmpty())
        {
            refuse(line, key, removed.isEmpty() ? NONE : removed.get(0), added.isEmpty() ? NONE : added.get(0));
        }
    }

    private void refuse(final int line, final String key, final String old, final String now)
    {
        refusals.add(after.file() + ":" + line + ": " + key + ": " + old + " -> " + now + " needs a restart");
    }

    private static List<String> without(final List<String> rows, final List<String> others)
    {
        final List<String> rest = new ArrayList<>(rows);
        others.forEach(rest::remove);
        return rest;
    }

    private static List<String> routes(final RouterConfig config)
    {
        return config.control().routes().stream().map(route -> route.prefix() + (route.hops().isEmpty() ?
            " " + route.kind().name().toLowerCase(Locale.ROOT) : " via " + hops(config, route.hops()))).toList();
    }

    private static String hops(final RouterConfig config, final List<ControlConfig.Hop> hops)
    {
        return hops.stream()
            .map(hop -> hop.gateway() + " of " + interfaceName(config, hop.port()) + " weight " + hop.weight())
            .collect(Collectors.joining(", "));
    }

    private static List<String> neighbors(final RouterConfig config)
    {
        return config.control().neighbors().stream().map(neighbor -> neighbor.address() + " of " +
            interfaceName(config, neighbor.port()) + " " + MacAddress.format(neighbor.macAddress())).toList();
    }

    private static List<String> vlans(final PortConfig port)
    {
        return port.vlans().stream().map(vlan -> vlan.name() + " id " + vlan.id() + " protocol 0x" +
            Integer.toHexString(vlan.etherType()) +
            (vlan.outer() == VlanConfig.NO_OUTER ? "" : " outer " + port.vlans().get(vlan.outer()).id()) +
            " pcp " + vlan.pcp() + " address " + text(vlan.addresses()) + " mac " + text(macText(vlan.macAddress())) +
            " mtu " + text(sizeText(vlan.mtu(), 0))).toList();
    }

    private static String interfaceName(final RouterConfig config, final int index)
    {
        final int ports = config.ports().size();
        return index < ports ? config.ports().get(index).name() : config.vlans().get(index - ports).name();
    }

    private static AccessList list(final RouterConfig config, final String name)
    {
        return config.acls().stream().filter(list -> list.name().equals(name)).findFirst().orElse(null);
    }

    private static PfcConfig withoutLines(final PfcConfig pfc)
    {
        return pfc == null ? null : pfc.withoutLines();
    }

    private static String ofFpm(final RouterConfig config, final Function<FpmConfig, String> value)
    {
        return config.control().fpm() == null ? null : value.apply(config.control().fpm());
    }

    private static String macText(final long mac)
    {
        return mac == 0 ? null : MacAddress.format(mac);
    }

    private static String sizeText(final int value, final int byDefault)
    {
        return value == byDefault ? "default" : String.valueOf(value);
    }

    private static String martiansText(final ForwardingConfig forwarding, final ControlMode mode)
    {
        return forwarding.kernelMartians() == mode.followsKernel() ? "default" :
            forwarding.kernelMartians() ? RouterKeys.OF_KERNEL : RouterKeys.OF_RFC;
    }

    private static String oldBroadcastsText(final ForwardingConfig forwarding)
    {
        return forwarding.oldBroadcasts() == forwarding.kernelMartians() ? "default" :
            String.valueOf(forwarding.oldBroadcasts());
    }

    private static String text(final Object value)
    {
        if (value instanceof Collection)
        {
            return ((Collection<?>)value).isEmpty() ? NONE : value.toString();
        }
        return value == null ? NONE : value.toString();
    }
}
