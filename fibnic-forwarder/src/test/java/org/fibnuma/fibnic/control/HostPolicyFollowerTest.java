package org.fibnuma.fibnic.control;

import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.fibnuma.core.UserException;
import org.fibnuma.core.kernel.HostPolicy;
import org.fibnuma.core.kernel.HostRestriction;
import org.fibnuma.core.kernel.InterfacePolicy;
import org.fibnuma.core.kernel.KernelPolicy;
import org.fibnuma.core.kernel.KernelRule;
import org.fibnuma.core.kernel.ReversePath;
import org.fibnuma.core.kernel.RulesetVersion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.SharedInterface;
import org.fibnuma.core.service.config.ConfigException;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.fibnic.adjacency.AdjacencyTable;
import org.fibnuma.fibnic.adjacency.InterfaceTable;
import org.fibnuma.fibnic.config.ConfigReader;
import org.fibnuma.fibnic.config.RouterConfig;
import org.fibnuma.fibnic.fib.Ipv4Fib;
import org.fibnuma.fibnic.fib.Ipv6Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.fibnuma.fibnic.report.FollowedRestrictions;
import org.fibnuma.fibnic.rib.LinkTable;
import org.fibnuma.fibnic.rib.RoutingTables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class HostPolicyFollowerTest
{
    private static final HostRestriction CHAIN = new HostRestriction(
        HostRestriction.Kind.NETFILTER, "nftables table ip filter, chain FORWARD (hook forward, policy drop)",
        "nft list chain ip filter FORWARD");
    private static final KernelRule BY_SOURCE = rule("100: from 10.9.0.0/16 lookup 100", false);
    private static final KernelRule BY_PROTOCOL = rule("101: from all ipproto 17 lookup 100", true);
    private static final HostRestriction VRF =
        new HostRestriction(HostRestriction.Kind.VRF, "r0 is in the VRF blue", "ip -d link show r0");
    private static final HostRestriction FILTER = new HostRestriction(
        HostRestriction.Kind.TRAFFIC_CONTROL, "tc ingress of r0: filter u32", "tc filter show dev r0 ingress");
    private static final HostRestriction UNREADABLE =
        new HostRestriction(HostRestriction.Kind.UNREADABLE, "legacy iptables", "iptables-legacy -S FORWARD");
    private static final HostRestriction IPV6_CHAIN = new HostRestriction(
        HostRestriction.Kind.NETFILTER, "nftables table ip6 fw, chain f (hook forward)", "nft list chain ip6 fw f",
        HostRestriction.Scope.family(true));
    private static final HostRestriction SHAPER = new HostRestriction(
        HostRestriction.Kind.QUEUEING_DISCIPLINE, "queueing discipline of r1: tbf", "tc qdisc show dev r1",
        HostRestriction.Scope.device(8));
    private static final HostRestriction IPSEC = new HostRestriction(
        HostRestriction.Kind.IPSEC, "IPsec policies of direction fwd for IPv4 packets", "ip xfrm policy list dir fwd",
        HostRestriction.Scope.family(false));
    private static final HostRestriction BRIDGE = new HostRestriction(
        HostRestriction.Kind.MASTER, "r0 is in the bridge br0", "ip -d link show r0", HostRestriction.Scope.device(7));
    private static final HostRestriction IPVLAN = new HostRestriction(
        HostRestriction.Kind.UPPER_INTERFACE, "ipvlan i0 on r0", "ip -d link show i0",
        HostRestriction.Scope.received(7));
    private static final InterfacePolicy SHUT = new InterfacePolicy(false, ReversePath.STRICT, false);
    private static final InterfacePolicy WITHOUT_IPV4 = new InterfacePolicy(false, ReversePath.OFF, true);
    private static final InterfacePolicy SHUT_FOR_IPV6 = new InterfacePolicy(true, ReversePath.OFF, false);

    private static final IpPrefix NEAR = IpPrefix.parse("10.0.0.0/24");
    private static final IpPrefix FAR = IpPrefix.parse("192.0.2.0/24");
    private static final IpPrefix FAR_IPV6 = IpPrefix.parse("2001:db8::/32");

    @TempDir
    private Path directory;

    private final InterfaceTable interfaces = new InterfaceTable(2);
    private final CountersManager counters = new CountersManager(buffer(64 * 1024), buffer(16 * 1024));
    private final List<Set<Integer>> asked = new ArrayList<>();
    private final List<Object> taken = new ArrayList<>();
    private HostPolicy host = HostPolicy.NONE;
    private boolean changed;
    private boolean leavesTransit;
    private int firstIndex = 7;

    private final KernelPolicy kernel = new KernelPolicy()
    {
        @Override
        public boolean poll(final long nowMs)
        {
            final boolean result = changed;
            changed = false;
            return result;
        }

        @Override
        public HostPolicy read(final Set<Integer> indexes)
        {
            asked.add(Set.copyOf(indexes));
            return host;
        }

        @Override
        public void leaveOut(final String table, final int portId)
        {
        }

        @Override
        public void close()
        {
        }
    };

    @Test
    void shouldRefuseToBypassAChainAndNameItAndTheKey() throws IOException, ConfigException
    {
        final String line = refusal("", CHAIN);
        assertTrue(line.startsWith("nftables table ip filter, chain FORWARD (hook forward, policy drop): "), line);
        assertTrue(line.contains("\"nft list chain ip filter FORWARD\""), line);
        assertTrue(line.contains("set firewall = \"bypass\" in [router] of "), line);
        assertEquals(1, line.lines().count());
        refusal("ignore-rules = true", CHAIN);
    }

    @Test
    void shouldRefuseVrfs() throws IOException, ConfigException
    {
        final String line = refusal("firewall = \"bypass\"", VRF);
        assertTrue(line.startsWith(VRF.text()), line);
        assertTrue(line.contains("set ignore-rules = true in [router] of "), line);
    }

    @Test
    void shouldIgnoreRulesOnlyWhereTheConfigurationSaysSo() throws IOException, ConfigException
    {
        host = new HostPolicy(List.of(), Map.of(), RulesetVersion.NONE, List.of(BY_SOURCE, BY_PROTOCOL));
        final HostPolicyFollower following = follower("");
        following.start();
        assertEquals(FollowedRestrictions.NONE, following.restrictions());
        final HostPolicyFollower ignoring = follower("ignore-rules = true");
        ignoring.start();
        assertEquals(new FollowedRestrictions(List.of(ignored(BY_SOURCE), ignored(BY_PROTOCOL)), List.of(), List.of()),
            ignoring.restrictions());
    }

    private static HostRestriction ignored(final KernelRule rule)
    {
        return new HostRestriction(
            HostRestriction.Kind.RULE, "rule " + rule.text(), "ip rule show", HostRestriction.Scope.NONE);
    }

    private static KernelRule rule(final String text, final boolean byOthers)
    {
        return new KernelRule(false, 100, new KernelRule.Selector(
            false, byOthers ? null : IpPrefix.parse("10.9.0.0/16"), null, null, false, false, byOthers),
            KernelRule.Action.LOOKUP, 100, KernelRule.NO_SUPPRESSION, text);
    }

    @Test
    void shouldRefuseShapersAndFiltersOfTrafficControl() throws IOException, ConfigException
    {
        for (final HostRestriction restriction : List.of(SHAPER, FILTER))
        {
            final String line = refusal("ignore-rules = true", restriction);
            assertTrue(line.startsWith(restriction.text() + ": frames that the router forwards would bypass"), line);
            assertTrue(line.contains("set firewall = \"bypass\" in [router] of "), line);
        }
    }

    @Test
    void shouldRefuseAPortOfABridgeWhateverTheKeys() throws IOException, ConfigException
    {
        final String line = refusal("firewall = \"bypass\"\nignore-rules = true", BRIDGE);
        assertTrue(line.startsWith("r0 is in the bridge br0: the frames that a port receives would bypass it; " +
            "\"ip -d link show r0\" shows it; remove it, or take another port for "), line);
    }

    @Test
    void shouldGoOnWhereTheConfigurationAllowsIt() throws IOException, ConfigException
    {
        host = new HostPolicy(List.of(CHAIN, VRF, FILTER, SHAPER), Map.of(), RulesetVersion.NONE);
        final HostPolicyFollower follower = follower("firewall = \"bypass\"\nignore-rules = true");
        follower.start();
        assertEquals(new FollowedRestrictions(host.restrictions(), List.of(), List.of()), follower.restrictions());
        assertEquals(4, counters.getCounterValue(0));
        assertEquals(InterfacePolicy.OPEN, interfaces.get(0).policy());
    }

    @Test
    void shouldGoOnWithWhatItMayNotRead() throws IOException, ConfigException
    {
        host = new HostPolicy(List.of(UNREADABLE), Map.of(), RulesetVersion.NONE);
        final HostPolicyFollower follower = follower("");
        follower.start();
        assertEquals(new FollowedRestrictions(List.of(UNREADABLE), List.of(), List.of()), follower.restrictions());
        assertEquals(InterfacePolicy.OPEN, interfaces.get(0).policy());
    }

    @Test
    void shouldStartBesideIpsecAndLeaveItsFamilyToTheKernelWhateverTheKeys() throws IOException, ConfigException
    {
        leavesTransit = true;
        host = new HostPolicy(List.of(IPSEC), Map.of(), RulesetVersion.NONE);
        final HostPolicyFollower follower = follower("ipv6 = true\nfirewall = \"bypass\"\nignore-rules = true");
        follower.start();
        assertEquals(List.of("left [KERNEL, ALL]", "right [KERNEL, ALL]"), taken);
        assertEquals(WITHOUT_IPV4, interfaces.get(0).policy());
        assertEquals(new FollowedRestrictions(List.of(), List.of(), List.of(IPSEC)), follower.restrictions());
        assertEquals(0, counters.getCounterValue(0));
    }

    @Test
    void shouldLeavePrefixesToTheKernelAsSoonAsItHasTables() throws IOException, ConfigException
    {
        host = new HostPolicy(List.of(prefixes(false, Set.of(FAR), Set.of())), Map.of(), RulesetVersion.NONE);
        final HostPolicyFollower follower = follower("ipv6 = true");
        follower.start();
        assertEquals(WITHOUT_IPV4, interfaces.get(0).policy(), "without tables all are the kernel's");
        final ReaderEpochs epochs = new ReaderEpochs();
        try (Ipv4Fib fib = new Ipv4Fib(epochs); Ipv6Fib ipv6Fib = new Ipv6Fib(epochs))
        {
            final RoutingTables tables = new RoutingTables(List.of(), new LinkTable(new int[]{7, 8}),
                new RoutingTables.Shared(fib, ipv6Fib, new AdjacencyTable(), interfaces, epochs));
            follower.followTables(tables);
            assertEquals(InterfacePolicy.OPEN, interfaces.get(0).policy());
            assertEquals(Set.of(FAR), tables.prefixesOfKernel());

            become(follower, prefixes(false, Set.of(FAR), Set.of(NEAR)));
            assertEquals(new InterfacePolicy(true, ReversePath.POLICY, true), interfaces.get(0).policy());
            assertEquals(Set.of(FAR, NEAR), tables.prefixesOfKernel());

            become(follower, prefixes(true, Set.of(FAR_IPV6), Set.of()));
            assertEquals(InterfacePolicy.OPEN, interfaces.get(0).policy());
            become(follower, prefixes(true, Set.of(), Set.of(FAR_IPV6)));
            assertEquals(SHUT_FOR_IPV6, interfaces.get(0).policy(), "no lookup of IPv6 sources");

            become(follower);
            assertEquals(InterfacePolicy.OPEN, interfaces.get(0).policy());
            assertEquals(Set.of(), tables.prefixesOfKernel());
        }
    }

    private static HostRestriction prefixes(
        final boolean ipv6, final Set<IpPrefix> destinations, final Set<IpPrefix> sources)
    {
        return new HostRestriction(HostRestriction.Kind.IPSEC, "IPsec policies", "ip xfrm policy list",
            HostRestriction.Scope.prefixes(ipv6, destinations, sources));
    }

    @Test
    void shouldStartBesideAnIpvlanAndLeaveWhatItsPortReceivesToTheKernel() throws IOException, ConfigException
    {
        leavesTransit = true;
        host = new HostPolicy(List.of(IPVLAN), Map.of(), RulesetVersion.NONE);
        follower("").start();
        assertEquals(List.of("left [KERNEL, KERNEL]", "right [ALL, ALL]"), taken);
    }

    @Test
    void shouldLeaveToTheKernelWhatAFilterConcernsAsLongAsItIsThere() throws IOException, ConfigException
    {
        leavesTransit = true;
        final HostPolicyFollower follower = follower("");
        follower.start();
        assertEquals(0, follower.poll());
        for (final HostRestriction appearing : List.of(CHAIN, FILTER, VRF))
        {
            taken.clear();
            become(follower, appearing);
            assertEquals(new FollowedRestrictions(List.of(), List.of(), List.of(appearing)), follower.restrictions());
            assertEquals(List.of("left [KERNEL, KERNEL]", "right [KERNEL, KERNEL]"), taken);
            assertEquals(new InterfacePolicy(false, ReversePath.OFF, false), interfaces.get(0).policy(),
                "frames that the port has received before");
            assertEquals(0, counters.getCounterValue(0));
            taken.clear();
            become(follower);
            assertEquals(FollowedRestrictions.NONE, follower.restrictions());
            assertEquals(List.of("left [ALL, ALL]", "right [ALL, ALL]"), taken);
            assertEquals(InterfacePolicy.OPEN, interfaces.get(0).policy());
        }
    }

    @Test
    void shouldLeaveToTheKernelOnlyTheFamilyOfAFilter() throws IOException, ConfigException
    {
        leavesTransit = true;
        final HostPolicyFollower follower = follower("ipv6 = true");
        follower.start();
        taken.clear();
        become(follower, IPV6_CHAIN);
        assertEquals(List.of("left [ALL, KERNEL]", "right [ALL, KERNEL]"), taken);
    }

    @Test
    void shouldNeverForwardPastAFilterWhenForwardingIsSwitchedOn() throws IOException, ConfigException
    {
        leavesTransit = true;
        host = new HostPolicy(List.of(), Map.of(7, SHUT, 8, SHUT), RulesetVersion.NONE);
        final HostPolicyFollower follower = follower("");
        follower.start();
        taken.clear();
        become(follower, CHAIN);
        assertEquals(List.of("left [KERNEL, KERNEL]", "right [KERNEL, KERNEL]"), taken);
    }

    @Test
    void shouldLeaveToTheKernelAllPortsAsLongAsEgressIsUnknown() throws IOException, ConfigException
    {
        leavesTransit = true;
        final HostPolicyFollower follower = follower("");
        follower.start();
        taken.clear();
        become(follower, SHAPER);
        assertEquals(List.of("left [KERNEL, KERNEL]", "right [KERNEL, KERNEL]"), taken);
    }

    @Test
    void shouldBypassWhatAReloadAllows() throws IOException, ConfigException
    {
        leavesTransit = true;
        final HostPolicyFollower follower = follower("");
        follower.start();
        become(follower, CHAIN, VRF);
        taken.clear();
        follower.settings(config("firewall = \"bypass\"").control());
        assertEquals(new FollowedRestrictions(List.of(CHAIN), List.of(), List.of(VRF)), follower.restrictions());
        assertEquals(List.of("left [KERNEL, KERNEL]", "right [KERNEL, KERNEL]"), taken);
        taken.clear();
        follower.settings(config("firewall = \"bypass\"\nignore-rules = true").control());
        assertEquals(List.of("left [ALL, ALL]", "right [ALL, ALL]"), taken);
        taken.clear();
        follower.settings(config("").control());
        assertEquals(new FollowedRestrictions(List.of(), List.of(), List.of(CHAIN, VRF)), follower.restrictions());
        assertEquals(List.of("left [KERNEL, KERNEL]", "right [KERNEL, KERNEL]"), taken);
    }

    @Test
    void shouldRefuseAPortForWhichAFilterIsNew() throws IOException, ConfigException
    {
        final HostPolicyFollower follower = follower("");
        follower.start();
        host = new HostPolicy(List.of(SHAPER, IPSEC), Map.of(), RulesetVersion.NONE);
        assertThrows(UserException.class, () -> follower.check(8));
        become(follower, SHAPER);
        follower.check(8);
    }

    private void become(final HostPolicyFollower follower, final HostRestriction... restrictions)
    {
        host = new HostPolicy(List.of(restrictions), Map.of(), RulesetVersion.NONE);
        changed = true;
        assertEquals(1, follower.poll());
    }

    @Test
    void shouldLeaveFramesToTheKernelOnAPortThatCan() throws IOException, ConfigException
    {
        leavesTransit = true;
        host = new HostPolicy(List.of(), Map.of(7, SHUT), RulesetVersion.NONE);
        final HostPolicyFollower follower = follower("");
        follower.start();
        assertEquals(List.of("left [KERNEL, KERNEL]", "right [ALL, ALL]"), taken);
        assertEquals(SHUT, interfaces.get(0).policy());
        assertEquals(InterfacePolicy.OPEN, interfaces.get(1).policy());
    }

    @Test
    void shouldLeaveOnlyOneFamilyToTheKernel() throws IOException, ConfigException
    {
        leavesTransit = true;
        host = new HostPolicy(List.of(), Map.of(7, SHUT_FOR_IPV6, 8, WITHOUT_IPV4), RulesetVersion.NONE);
        final HostPolicyFollower follower = follower("ipv6 = true");
        follower.start();
        assertEquals(List.of("left [ALL, KERNEL]", "right [KERNEL, ALL]"), taken);
        assertEquals(SHUT_FOR_IPV6, interfaces.get(0).policy());
        assertEquals(WITHOUT_IPV4, interfaces.get(1).policy());
    }

    @Test
    void shouldHaveWorkersPuntOnlyOneFamily() throws IOException, ConfigException
    {
        host = new HostPolicy(List.of(), Map.of(7, SHUT_FOR_IPV6), RulesetVersion.NONE);
        final HostPolicyFollower follower = follower("ipv6 = true");
        follower.start();
        assertEquals(SHUT_FOR_IPV6, interfaces.get(0).policy());
        host = HostPolicy.NONE;
        changed = true;
        follower.poll();
        assertEquals(InterfacePolicy.OPEN, interfaces.get(0).policy());
    }

    @Test
    void shouldRefuseChainsAndRulesOfIpv6() throws IOException, ConfigException
    {
        final String line = refusal("ipv6 = true\nignore-rules = true", IPV6_CHAIN);
        assertTrue(line.startsWith("nftables table ip6 fw, chain f (hook forward): "), line);
        assertTrue(line.contains("set firewall = \"bypass\" or ipv6 = false in [router] of "), line);
        final HostRestriction vrf = new HostRestriction(
            HostRestriction.Kind.VRF, VRF.text(), VRF.command(), HostRestriction.Scope.family(true));
        assertTrue(refusal("ipv6 = true\nfirewall = \"bypass\"", vrf).contains(
            "set ignore-rules = true or ipv6 = false in [router] of "));
    }

    @Test
    void shouldHaveWorkersPuntWhereThePortCannot() throws IOException, ConfigException
    {
        host = new HostPolicy(List.of(), Map.of(7, SHUT), RulesetVersion.NONE);
        final HostPolicyFollower follower = follower("");
        follower.start();
        assertEquals(SHUT, interfaces.get(0).policy());
        host = HostPolicy.NONE;
        changed = true;
        follower.poll();
        assertEquals(InterfacePolicy.OPEN, interfaces.get(0).policy());
    }

    @Test
    void shouldAskAgainWhenAPortHasAnotherInterface() throws IOException, ConfigException
    {
        final HostPolicyFollower follower = follower("");
        follower.start();
        firstIndex = 9;
        assertEquals(1, follower.poll());
        assertEquals(0, follower.poll());
        assertEquals(List.of(Set.of(7, 8), Set.of(9, 8)), asked);
    }

    @Test
    void shouldFollowNoTableOfTheKernelWithAConfigurationOfItsOwn() throws IOException, ConfigException
    {
        host = new HostPolicy(List.of(VRF), Map.of(7, SHUT), RulesetVersion.NONE, List.of(BY_PROTOCOL));
        final HostPolicyFollower follower = follower("control = \"static\"");
        follower.start();
        assertEquals(FollowedRestrictions.NONE, follower.restrictions());
        assertEquals(InterfacePolicy.OPEN, interfaces.get(0).policy());
        refusal("control = \"static\"", CHAIN);
    }

    private static UnsafeBuffer buffer(final int size)
    {
        return new UnsafeBuffer(BufferUtil.allocateDirectAligned(size, BitUtil.CACHE_LINE_LENGTH));
    }

    private String refusal(final String keys, final HostRestriction restriction) throws IOException, ConfigException
    {
        host = new HostPolicy(List.of(restriction), Map.of(), RulesetVersion.NONE);
        final HostPolicyFollower follower = follower(keys);
        return assertThrows(UserException.class, follower::start).getMessage();
    }

    private HostPolicyFollower follower(final String keys) throws IOException, ConfigException
    {
        return new HostPolicyFollower(
            config(keys), List.of(port("left"), port("right")),
            port -> port == 0 ? firstIndex : 8, interfaces, kernel, null, counters, () -> 0);
    }

    private RouterConfig config(final String keys) throws IOException, ConfigException
    {
        final String address =
            keys.contains("static") ? "\naddress = [\"10.0.0.1/24\"]\nmac = \"02:00:00:00:00:01\"" : "";
        final String firewall = keys.contains("firewall") ? "" : "firewall = \"refuse\"\n";
        final Path file = Files.writeString(directory.resolve("router.toml"),
            "[router]\n" + firewall + keys + "\n[[port]]\nname = \"left\"\ndevice = \"mem:left\"" + address +
            "\n[[port]]\nname = \"right\"\ndevice = \"mem:right\"" + address.replace("10.0.0", "10.0.1") + "\n");
        return ConfigReader.read(file);
    }

    private Port port(final String name)
    {
        return (Port)Proxy.newProxyInstance(
            Port.class.getClassLoader(), new Class<?>[]{Port.class, SharedInterface.class},
            (proxy, method, arguments) ->
            {
                if (method.getName().equals("takeTransit"))
                {
                    taken.add(name + " " + Arrays.toString(arguments));
                    return null;
                }
                if (method.getName().equals("capability"))
                {
                    return leavesTransit ? Optional.of(proxy) : Optional.empty();
                }
                return name;
            });
    }
}
