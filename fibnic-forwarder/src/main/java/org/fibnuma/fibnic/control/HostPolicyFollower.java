package org.fibnuma.fibnic.control;

import org.agrona.CloseHelper;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;
import org.fibnuma.binding.hostpolicy.HostPolicyReader;
import org.fibnuma.core.UserException;
import org.fibnuma.core.frame.InterfaceNumber;
import org.fibnuma.core.kernel.HostPolicy;
import org.fibnuma.core.kernel.HostRestriction;
import org.fibnuma.core.kernel.InterfacePolicy;
import org.fibnuma.core.kernel.KernelPolicy;
import org.fibnuma.core.kernel.KernelRule;
import org.fibnuma.core.kernel.ReversePath;
import org.fibnuma.core.kernel.Transit;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.SharedInterface;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.config.ControlConfig;
import org.fibnuma.fibnic.config.Firewall;
import org.fibnuma.fibnic.config.RouterConfig;
import org.fibnuma.fibnic.flows.FlowFollower;
import org.fibnuma.fibnic.report.FollowedRestrictions;
import org.fibnuma.fibnic.rib.RoutingTables;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Follows the host's policy for forwarded packets. The router applies reverse-path checks, and switches forwarding off
 * for a port or VLAN interface. Other restrictions make the start fail, unless the configuration bypasses them or their
 * frames can be left to the kernel. While a later restriction exists and is not bypassed, its frames are left to the
 * kernel. Opened by the thread that opens the ports, then control thread.
 */
final class HostPolicyFollower implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(HostPolicyFollower.class);
    /** Type id of the counter of bypassed restrictions. */
    private static final int COUNTER_TYPE = 1400;

    private final RouterConfig config;
    private final List<Port> ports;
    private final IntUnaryOperator interfaceOf;
    private final InterfaceTable interfaces;
    private final KernelPolicy kernel;
    private final AtomicCounter bypassed;
    private final EpochClock clock;
    private final InterfacePolicy[] followed;
    /** Null before {@link #followTables}. */
    private RoutingTables tables;
    private long knownVlanChanges;
    private final int[] known;
    /** Null where the router never takes flows. */
    private final FlowFollower flows;
    private Firewall firewall;
    /** Why flows are not found, empty if they are. */
    private String flowsRefusal = "";
    private boolean ignoresRules;
    private HostPolicy host = HostPolicy.NONE;
    private FollowedRestrictions restrictions = FollowedRestrictions.NONE;
    private boolean started;

    /**
     * Follows a kernel.
     *
     * @param config      with what may be bypassed.
     * @param ports       at most as many as interfaces.
     * @param interfaceOf returns the index of a port's interface in the kernel, 0 for none.
     * @param interfaces  of the workers.
     * @param kernel      to read, or null where the host's policy does not concern the router; closed by this.
     * @param flows       of the host's packet filters, or null where the router does not follow them.
     * @param counters    for the counter of bypassed restrictions.
     * @param clock       of the control thread.
     */
    HostPolicyFollower(
        final RouterConfig config,
        final List<Port> ports,
        final IntUnaryOperator interfaceOf,
        final InterfaceTable interfaces,
        final KernelPolicy kernel,
        final FlowFollower flows,
        final CountersManager counters,
        final EpochClock clock)
    {
        this.config = config;
        this.ports = ports;
        this.interfaceOf = interfaceOf;
        this.interfaces = interfaces;
        this.kernel = kernel;
        this.bypassed = counters.newCounter("host restrictions bypassed", COUNTER_TYPE);
        this.clock = clock;
        this.flows = flows;
        this.firewall = config.control().firewall();
        this.ignoresRules = config.control().ignoreRules();
        this.followed = new InterfacePolicy[interfaces.size()];
        this.known = new int[followed.length];
        Arrays.fill(followed, InterfacePolicy.OPEN);
    }

    /** Opens the kernel's policy for a router that follows the kernel or bypasses its packet filters. */
    static KernelPolicy openKernel(final RouterConfig config, final OpenPorts ports)
    {
        final boolean concerned = config.control().mode().followsKernel() || ports.bypassPacketFilters();
        return concerned ? HostPolicyReader.open(ports.bypassPacketFilters(), config.forwarding().ipv6()) : null;
    }

    /**
     * Reads the policy for the first time.
     *
     * @throws UserException with one line for the user where the router would bypass a restriction against the
     *                       configuration.
     */
    void start()
    {
        if (kernel == null)
        {
            return;
        }
        kernel.poll(clock.time());
        final HostPolicy now = kernel.read(interfaceIndexes());
        for (final HostRestriction restriction : now.restrictions())
        {
            if (isRefused(restriction))
            {
                throw refusal(restriction);
            }
        }
        adopt(now);
        started = true;
    }

    /** Returns the policy of a VLAN interface until its own is read: the kernel forwards its frames. */
    InterfacePolicy policyOfNewVlans()
    {
        return kernel == null ? InterfacePolicy.OPEN : new InterfacePolicy(false, ReversePath.OFF, false);
    }

    /**
     * Reads the policy for the VLAN interfaces of the router, and follows it from now on. The kernel has no settings
     * for those of a static router. From now on frames can be left to the kernel by their addresses.
     */
    void followTables(final RoutingTables followedTables)
    {
        if (kernel == null)
        {
            return;
        }
        tables = followedTables;
        adopt(kernel.read(interfaceIndexes()));
    }

    /** Applies the keys of a configuration that decide what is bypassed. */
    void settings(final ControlConfig changed)
    {
        if (changed.firewall() != firewall || changed.ignoreRules() != ignoresRules)
        {
            firewall = changed.firewall();
            ignoresRules = changed.ignoreRules();
            adopt(host);
        }
    }

    /**
     * Checks the policy for a port that is to be added.
     *
     * @param interfaceIndex of its interface.
     * @throws UserException with one line for the user where the router would bypass a restriction against the
     *                       configuration, and this restriction does not concern the other ports.
     */
    void check(final int interfaceIndex)
    {
        if (kernel == null)
        {
            return;
        }
        final Set<Integer> indexes = interfaceIndexes();
        indexes.add(interfaceIndex);
        for (final HostRestriction restriction : kernel.read(indexes).restrictions())
        {
            if (isRefused(restriction) && !restrictions.left().contains(restriction))
            {
                throw refusal(restriction);
            }
        }
    }

    /** Applies the policy to a port that was added, before it takes frames. */
    void begin(final int port)
    {
        followed[port] = InterfacePolicy.OPEN;
        if (kernel != null)
        {
            adopt(kernel.read(interfaceIndexes()));
        }
    }

    /** Applies changes of the policy; returns 1 where there were any. */
    int poll()
    {
        if (kernel == null || !(kernel.poll(clock.time()) | interfacesChanged()))
        {
            return 0;
        }
        adopt(kernel.read(interfaceIndexes()));
        return 1;
    }

    private boolean interfacesChanged()
    {
        boolean changed = tables != null && tables.links().vlans().changes() != knownVlanChanges;
        for (int port = 0; port < known.length; port++)
        {
            changed |= known[port] != interfaceOf.applyAsInt(port);
        }
        return changed;
    }

    /** Returns the current restrictions that concern the router. */
    FollowedRestrictions restrictions()
    {
        return restrictions;
    }

    private Set<Integer> interfaceIndexes()
    {
        final Set<Integer> indexes = new HashSet<>();
        for (int port = 0; port < known.length; port++)
        {
            known[port] = interfaceOf.applyAsInt(port);
            if (known[port] > 0)
            {
                indexes.add(known[port]);
            }
        }
        if (tables != null)
        {
            knownVlanChanges = tables.links().vlans().changes();
            if (config.control().mode().followsKernel())
            {
                indexes.addAll(tables.links().vlans().interfaces());
            }
        }
        return indexes;
    }

    /** A VRF does not concern a static router, because it does not use the kernel's tables. */
    private boolean concerns(final HostRestriction restriction)
    {
        return restriction.kind() != HostRestriction.Kind.VRF || config.control().mode().followsKernel();
    }

    /** Routes by the rules of the host; returns those that the router ignores or whose packets the kernel forwards. */
    private Stream<HostRestriction> rulesNotFollowed(final HostPolicy now)
    {
        final boolean follows = config.control().mode().followsKernel();
        final List<KernelRule> left =
            tables == null ? List.of() : tables.rules(follows && !ignoresRules ? now.rules() : List.of());
        return (follows && ignoresRules ? now.rules() : left).stream().filter(KernelRule::concernsForwarded)
            .map(rule -> new HostRestriction(
                HostRestriction.Kind.RULE, (rule.isIpv6() ? "IPv6 rule " : "rule ") + rule.text(),
                rule.isIpv6() ? "ip -6 rule show" : "ip rule show", HostRestriction.Scope.NONE));
    }

    private static boolean isOfRouting(final HostRestriction.Kind kind)
    {
        return kind == HostRestriction.Kind.RULE || kind == HostRestriction.Kind.VRF;
    }

    private boolean mayBypass(final HostRestriction restriction)
    {
        return switch (restriction.kind())
        {
            case NETFILTER, NETFILTER_PACKET, NETFILTER_OFFLOAD, QUEUEING_DISCIPLINE, TRAFFIC_CONTROL ->
                firewall == Firewall.BYPASS;
            case RULE, VRF -> ignoresRules;
            // Only root can read them: every router without root would be refused.
            case UNREADABLE -> true;
            case IPSEC, MASTER, UPPER_INTERFACE -> false;
        };
    }

    /** Returns whether a restriction prevents the start. */
    private boolean isRefused(final HostRestriction restriction)
    {
        final boolean isLeft = restriction.kind() == HostRestriction.Kind.IPSEC ||
            restriction.kind() == HostRestriction.Kind.UPPER_INTERFACE ||
            restriction.kind() == HostRestriction.Kind.RULE ||
            restriction.kind().isPacketFilter() && firewall == Firewall.FOLLOW;
        return concerns(restriction) && !mayBypass(restriction) && !isLeft;
    }

    /** Returns the key and value of the configuration that bypass restrictions of a kind, or null. */
    private static String key(final HostRestriction.Kind kind)
    {
        return switch (kind)
        {
            case NETFILTER, NETFILTER_PACKET, NETFILTER_OFFLOAD, QUEUEING_DISCIPLINE, TRAFFIC_CONTROL ->
                "firewall = \"bypass\"";
            case RULE, VRF -> "ignore-rules = true";
            case UNREADABLE, IPSEC, MASTER, UPPER_INTERFACE -> null;
        };
    }

    private UserException refusal(final HostRestriction restriction)
    {
        final HostRestriction.Kind kind = restriction.kind();
        final String reason = isOfRouting(kind) ? "the router follows the main routing table only" :
            kind == HostRestriction.Kind.MASTER ? "the frames that a port receives would bypass it" :
            "frames that the router forwards would bypass it";
        return new UserException(restriction.text() + ": " + reason + "; \"" + restriction.command() +
            "\" shows it; remove it, or " + (key(kind) == null ? "take another port for " : "set " + key(kind) +
            " " + (restriction.ipv6Only() ? "or ipv6 = false " : "") + "in [router] of ") +
            config.fileText());
    }

    private void adopt(final HostPolicy now)
    {
        final FollowedRestrictions before = restrictions;
        final List<HostRestriction> concerned = Stream.concat(
            now.restrictions().stream().filter(this::concerns), rulesNotFollowed(now)).toList();
        host = now;
        final List<HostRestriction> ofFlows =
            concerned.stream().filter(restriction -> firewall == Firewall.FOLLOW && isOfFlows(restriction)).toList();
        final boolean areFlowsFound = findsFlows(
            ofFlows.stream().filter(restriction -> !isLeftAnyway(restriction, concerned)).toList(), now);
        restrictions = new FollowedRestrictions(
            concerned.stream().filter(this::mayBypass).toList(),
            areFlowsFound ? ofFlows : List.of(),
            concerned.stream().filter(restriction -> !mayBypass(restriction) &&
                !(areFlowsFound && ofFlows.contains(restriction))).toList());
        bypassed.set(restrictions.bypassed().size());
        if (dividesByEgress())
        {
            tables.leaveToKernel(restrictions.left().stream().map(HostRestriction::scope)
                .filter(scope -> scope.sent() && !scope.isEverywhere())
                .map(HostRestriction.Scope::interfaceIndex).collect(Collectors.toSet()));
            tables.leavePrefixesToKernel(restrictions.left().stream().map(HostRestriction::scope)
                .flatMap(scope -> Stream.concat(scope.destinations().stream(), scope.sources().stream()))
                .collect(Collectors.toSet()));
        }
        for (int port = 0; port < ports.size(); port++)
        {
            adopt(port, settingsOf(interfaceOf.applyAsInt(port)));
        }
        adoptVlans();
        for (final HostRestriction.Kind kind : HostRestriction.Kind.values())
        {
            logBypassed(kind, before.bypassed());
            logLeft(kind, before.left());
        }
    }

    /**
     * Returns whether the packets of established connections pass a restriction as the first ones did, or those of
     * offloaded connections do.
     */
    private static boolean isOfFlows(final HostRestriction restriction)
    {
        return (restriction.kind() == HostRestriction.Kind.NETFILTER ||
            restriction.kind() == HostRestriction.Kind.NETFILTER_OFFLOAD) && !restriction.scope().isByPrefix();
    }

    /** Returns whether other restrictions leave all packets that a restriction concerns to the kernel. */
    private boolean isLeftAnyway(final HostRestriction restriction, final List<HostRestriction> concerned)
    {
        boolean ipv4 = !restriction.scope().ipv4();
        boolean ipv6 = !restriction.scope().ipv6() || !config.forwarding().ipv6();
        for (final HostRestriction other : concerned)
        {
            if (!mayBypass(other) && !isOfFlows(other) && other.scope().isEverywhere() &&
                !other.scope().isByPrefix() && !other.scope().isByProtocol())
            {
                ipv4 |= other.scope().ipv4();
                ipv6 |= other.scope().ipv6();
            }
        }
        return ipv4 && ipv6;
    }

    /** Opens flows if there are filters that they pass, or else shuts them; returns false if they cannot be found. */
    private boolean findsFlows(final List<HostRestriction> filters, final HostPolicy now)
    {
        if (flows == null)
        {
            return false;
        }
        if (filters.isEmpty())
        {
            flows.shut();
            return true;
        }
        final String refusal = flows.open(
            interfaceIndexes().stream().mapToInt(Integer::intValue).toArray(), now.ruleset(),
            everywhere(now.restrictions(), HostRestriction.Kind.NETFILTER_PACKET),
            everywhere(filters, HostRestriction.Kind.NETFILTER_OFFLOAD));
        if (!refusal.isEmpty() && !refusal.equals(flowsRefusal))
        {
            LOGGER.warn("established connections are left to the kernel: {}", refusal);
        }
        flowsRefusal = refusal;
        if (flows.labelTable() != null)
        {
            kernel.leaveOut(flows.labelTable().name(), flows.labelTable().portId());
        }
        return refusal.isEmpty();
    }

    private static List<HostRestriction.Scope> everywhere(
        final List<HostRestriction> restrictions, final HostRestriction.Kind kind)
    {
        return restrictions.stream().filter(restriction -> restriction.kind() == kind)
            .map(HostRestriction::scope).filter(HostRestriction.Scope::isEverywhere).toList();
    }

    /** Returns the kernel's settings of an interface; they do not apply to a static router. */
    private InterfacePolicy settingsOf(final int interfaceIndex)
    {
        return config.control().mode().followsKernel() ? host.of(interfaceIndex) : InterfacePolicy.OPEN;
    }

    /**
     * Returns settings without the families that restrictions of some interfaces leave to the kernel, and with flows
     * only where restrictions allow them.
     */
    private InterfacePolicy withoutLeft(final InterfacePolicy settings, final int... interfaceIndexes)
    {
        Transit ipv4 = settings.ipv4();
        Transit ipv6 = settings.ipv6();
        ReversePath reversePath = settings.reversePath();
        for (final HostRestriction restriction : restrictions.left())
        {
            final HostRestriction.Scope scope = restriction.scope();
            if (isByAddress(scope))
            {
                reversePath = scope.sources().isEmpty() || reversePath != ReversePath.OFF ?
                    reversePath : ReversePath.POLICY;
            }
            else if (!scope.isByProtocol() && isWithin(scope, interfaceIndexes))
            {
                ipv4 = scope.ipv4() ? Transit.KERNEL : ipv4;
                ipv6 = scope.ipv6() ? Transit.KERNEL : ipv6;
            }
        }
        for (final HostRestriction restriction : restrictions.followed())
        {
            final HostRestriction.Scope scope = restriction.scope();
            ipv4 = scope.ipv4() ? ipv4.and(Transit.FLOWS) : ipv4;
            ipv6 = scope.ipv6() ? ipv6.and(Transit.FLOWS) : ipv6;
        }
        return new InterfacePolicy(ipv4, reversePath, ipv6);
    }

    private boolean isWithin(final HostRestriction.Scope scope, final int... interfaceIndexes)
    {
        return scope.isEverywhere() || scope.sent() && !dividesByEgress() ||
            Arrays.stream(interfaceIndexes).anyMatch(index -> index == scope.interfaceIndex());
    }

    /** Returns whether frames are left to the kernel by address. The sources of IPv6 packets are not looked up. */
    private boolean isByAddress(final HostRestriction.Scope scope)
    {
        return scope.isByPrefix() && dividesByEgress() && (scope.sources().isEmpty() || !scope.ipv6());
    }

    /** Returns whether frames can be left to the kernel by their egress interface. */
    private boolean dividesByEgress()
    {
        return tables != null && config.control().mode().followsKernel();
    }

    private void adoptVlans()
    {
        for (final int vlan : tables == null ? List.<Integer>of() : tables.links().vlans().interfaces())
        {
            final int number = tables.links().numberOf(vlan);
            final InterfacePolicy before = interfaces.get(number).policy();
            final InterfacePolicy policyOfVlan = withoutLeft(
                settingsOf(vlan), vlan, interfaceOf.applyAsInt(InterfaceNumber.portOf(number)));
            if (!policyOfVlan.equals(before))
            {
                tables.vlanPolicy(number, policyOfVlan);
                LOGGER.info("VLAN interface {}: IPv4 by the {}, IPv6 by the {}, reverse-path check {}",
                    tables.links().get(vlan).name(), policyOfVlan.ipv4Forwarding() ? "router" : "kernel",
                    policyOfVlan.ipv6Forwarding() ? "router" : "kernel",
                    policyOfVlan.reversePath().name().toLowerCase(Locale.ROOT));
            }
        }
    }

    private void logBypassed(final HostRestriction.Kind kind, final List<HostRestriction> before)
    {
        final String added = texts(kind, restrictions.bypassed(), before);
        if (!added.isEmpty())
        {
            LOGGER.warn(isOfRouting(kind) ? "not followed, since the router uses the main routing table only: {}" :
                "frames that the router forwards bypass {}", added);
        }
        final String gone = texts(kind, before, restrictions.bypassed());
        if (!gone.isEmpty())
        {
            LOGGER.info("no longer bypassed: {}", gone);
        }
    }

    private void logLeft(final HostRestriction.Kind kind, final List<HostRestriction> before)
    {
        final String added = texts(kind, restrictions.left(), before);
        if (!added.isEmpty())
        {
            LOGGER.atLevel(kind == HostRestriction.Kind.UPPER_INTERFACE ? Level.INFO : Level.WARN).log(
                "frames left to the kernel, because the router does not apply this: {}{}", added,
                key(kind) == null ? "" : "; the router bypasses it with " + key(kind) + " in [router]");
        }
        final String gone = texts(kind, before, restrictions.left());
        if (!gone.isEmpty())
        {
            LOGGER.info("frames no longer left to the kernel because of: {}", gone);
        }
    }

    private static String texts(
        final HostRestriction.Kind kind, final List<HostRestriction> present, final List<HostRestriction> absent)
    {
        return present.stream()
            .filter(restriction -> restriction.kind() == kind &&
                absent.stream().map(HostRestriction::text).noneMatch(restriction.text()::equals))
            .map(restriction -> restriction.text() + " [" + restriction.command() + "]")
            .collect(Collectors.joining("; "));
    }

    private void adopt(final int index, final InterfacePolicy now)
    {
        final Port port = ports.get(index);
        final InterfacePolicy before = followed[index];
        final InterfacePolicy applied = withoutLeft(now, interfaceOf.applyAsInt(index));
        followed[index] = now;
        // Frames that the port has received before are punted by the workers.
        port.capability(SharedInterface.class).ifPresent(
            device -> device.takeTransit(applied.ipv4(), applied.ipv6()));
        interfaces.set(index, interfaces.get(index).with(applied));
        if (now.ipv4Forwarding() != before.ipv4Forwarding())
        {
            LOGGER.warn(now.ipv4Forwarding() ?
                "port {}: forwarding of its interface is on: the router forwards frames received by it" :
                "port {}: forwarding of its interface (net.ipv4.conf.IF.forwarding) is 0: frames received by it go " +
                "to the kernel, which does not forward them; sysctl -w net.ipv4.ip_forward=1", port.name());
        }
        if (now.ipv6Forwarding() != before.ipv6Forwarding())
        {
            // On most hosts IPv6 forwarding is off on purpose.
            LOGGER.atLevel(started ? Level.WARN : Level.INFO).log(now.ipv6Forwarding() ?
                "port {}: forwarding of IPv6 is on: the router forwards IPv6 frames received by it" :
                "port {}: forwarding of IPv6 (net.ipv6.conf.all.forwarding) is 0, or its interface has no IPv6: IPv6 " +
                "frames received by it go to the kernel, which does not forward them; " +
                "sysctl -w net.ipv6.conf.all.forwarding=1", port.name());
        }
        if (now.reversePath() != before.reversePath())
        {
            LOGGER.info("port {}: reverse-path check {} (rp_filter)", port.name(),
                now.reversePath().name().toLowerCase(Locale.ROOT));
        }
    }

    @Override
    public void close()
    {
        CloseHelper.close(kernel);
    }
}
