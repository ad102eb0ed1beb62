package org.fibnuma.fibnic.rib;

import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRule;
import org.fibnuma.core.kernel.KernelRule.Action;
import org.fibnuma.core.kernel.KernelRule.Selector;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.fibnic.adjacency.Adjacency;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.fib.FibRules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.fibnuma.fibnic.rib.TestKernel.LEFT;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** The reference is fib_rules_lookup written down as a loop over all rules and all routes. */
class PolicyRoutingPropertyTest
{
    private static final int CHANGES = 60;
    private static final int PACKETS = 40;
    private static final int[] TABLES = {KernelRoute.TABLE_MAIN, KernelRule.TABLE_DEFAULT, 100, 70_000};
    private static final KernelRule LOCAL = rule(false, 0, Selector.ALL, Action.LOOKUP, KernelRoute.TABLE_LOCAL, -1);
    private static final KernelRule LOCAL_IPV6 =
        rule(true, 0, Selector.ALL, Action.LOOKUP, KernelRoute.TABLE_LOCAL, -1);

    private Random random;
    private final Map<Integer, Map<IpPrefix, String>> routes = new HashMap<>();
    private List<KernelRule> rules = new ArrayList<>();
    private TestKernel kernel;

    @Property(tries = 40, edgeCases = EdgeCasesMode.NONE)
    void shouldRouteEachPacketAsTheKernelDoes(@ForAll final long seed)
    {
        random = new Random(seed);
        routes.clear();
        rules = List.of();
        for (final int table : TABLES)
        {
            routes.put(table, new HashMap<>());
        }
        try (TestKernel started = TestKernel.startedWithIpv6())
        {
            kernel = started;
            routes.get(KernelRoute.TABLE_MAIN).put(IpPrefix.parse("10.0.0.0/24"), "port 0 glean");
            routes.get(KernelRoute.TABLE_MAIN).put(IpPrefix.parse("2001:db8::/64"), "port 0 glean");
            for (int change = 0; change < CHANGES; change++)
            {
                if (random.nextInt(4) == 0)
                {
                    rules = newRules();
                    kernel.tables().rules(rules);
                }
                else
                {
                    changeRoute(random.nextBoolean());
                }
                for (int packet = 0; packet < PACKETS; packet++)
                {
                    check(random.nextBoolean(), random.nextBoolean() ? "left" : "right");
                }
            }
        }
    }

    private void check(final boolean isIpv6, final String ingress)
    {
        final IpAddress source = address(isIpv6);
        final IpAddress destination = address(isIpv6);
        final int number = "left".equals(ingress) ? 0 : 1;
        final int ofMain = kernel.adjacencyIndex(destination.toString());
        final FibRules compiled = kernel.interfaces().get(number).rules().of(isIpv6);
        final AdjacencyKind kind = kernel.adjacencies().get(ofMain).kind();
        final boolean isOfHost =
            kind == AdjacencyKind.LOCAL || kind == AdjacencyKind.BROADCAST || kind == AdjacencyKind.PUNT;
        final int actual = compiled == null ? ofMain : compiled.lookup(
            ofMain, isOfHost, high(source), low(source), high(destination), low(destination));
        assertEquals(expected(isIpv6, ingress, source, destination), text(kernel.adjacencies().get(actual)),
            () -> source + " to " + destination + " from " + ingress + " by " + rules + " and " + routes);
    }

    private static long high(final IpAddress address)
    {
        return address.isIpv4() ? (long)address.ipv4() << 32 : address.high();
    }

    private static long low(final IpAddress address)
    {
        return address.isIpv4() ? 0 : address.low();
    }

    private static String text(final Adjacency adjacency)
    {
        return switch (adjacency.kind())
        {
            case UNRESOLVED -> "via " + adjacency.nextHop();
            case GLEAN -> "port " + adjacency.egressPort() + " glean";
            default -> adjacency.kind().name();
        };
    }

    private String expected(
        final boolean isIpv6, final String ingress, final IpAddress source, final IpAddress destination)
    {
        if (rules.isEmpty() || rules.stream().noneMatch(rule -> rule.isIpv6() == isIpv6))
        {
            final String own = local(destination);
            final String found = own == null ? longest(KernelRoute.TABLE_MAIN, destination, -1) : own;
            return found == null ? "NO_ROUTE" : found;
        }
        for (final KernelRule rule : rules)
        {
            if (rule.isIpv6() == isIpv6 && matches(rule.selector(), ingress, source, destination))
            {
                final String found = rule.selector().byOthers() ? "PUNT" : switch (rule.action())
                {
                    case LOOKUP -> rule.table() == KernelRoute.TABLE_LOCAL ? local(destination) :
                        longest(rule.table(), destination, rule.suppression());
                    case UNREACHABLE -> "NO_ROUTE";
                    case NEXT -> null;
                    default -> rule.action().name();
                };
                if (found != null)
                {
                    return found;
                }
            }
        }
        return "NO_ROUTE";
    }

    /** A rule with conditions that the router does not have may match whatever meets the others. */
    private static boolean matches(
        final Selector selector, final String ingress, final IpAddress source, final IpAddress destination)
    {
        final boolean byIngress = selector.ingress() == null || selector.ingress().equals(ingress);
        final boolean byAddresses = (selector.source() == null || selector.source().contains(source)) &&
            (selector.destination() == null || selector.destination().contains(destination));
        final boolean meets = byIngress && byAddresses && !selector.never();
        return selector.byOthers() && selector.inverted() || meets != selector.inverted();
    }

    private static String local(final IpAddress destination)
    {
        final String text = destination.toString();
        return "10.0.0.1".equals(text) || "2001:db8::1".equals(text) ? "LOCAL" :
            "10.0.0.255".equals(text) ? "BROADCAST" : null;
    }

    private String longest(final int table, final IpAddress destination, final int suppression)
    {
        int length = -1;
        String found = null;
        for (final Map.Entry<IpPrefix, String> route : routes.get(table).entrySet())
        {
            if (route.getKey().contains(destination) && route.getKey().length() > length &&
                route.getKey().isIpv6() != destination.isIpv4())
            {
                length = route.getKey().length();
                found = route.getValue();
            }
        }
        return length <= suppression && !"UNREACHABLE".equals(found) ? null : found;
    }

    private void changeRoute(final boolean isIpv6)
    {
        final int table = TABLES[random.nextInt(TABLES.length)];
        final IpPrefix prefix = prefix(isIpv6);
        if (routes.get(table).containsKey(prefix) && "port 0 glean".equals(routes.get(table).get(prefix)))
        {
            return;
        }
        final boolean removes = random.nextInt(3) == 0;
        final boolean refuses = random.nextInt(4) == 0;
        final String gateway = (isIpv6 ? "2001:db8::" : "10.0.0.") + (3 + random.nextInt(6));
        kernel.tables().onRoute(new KernelRoute(isIpv6, prefix.first(), prefix.length(), table, isIpv6 ? 1024 : 0,
            refuses ? KernelRoute.Kind.UNREACHABLE : KernelRoute.Kind.UNICAST,
            refuses ? IpAddress.NONE : IpAddress.parse(gateway), refuses ? 0 : LEFT), !removes);
        if (removes)
        {
            routes.get(table).remove(prefix);
        }
        else
        {
            routes.get(table).put(prefix, refuses ? "UNREACHABLE" : "via " + gateway);
        }
    }

    private List<KernelRule> newRules()
    {
        if (random.nextInt(5) == 0)
        {
            return List.of();
        }
        final List<KernelRule> all = new ArrayList<>();
        for (int i = 0; i < random.nextInt(5); i++)
        {
            all.add(newRule(random.nextBoolean()));
        }
        // The local rules come before the first one for the main table.
        all.add(firstOf(all, false), LOCAL);
        all.add(firstOf(all, true), LOCAL_IPV6);
        all.add(rule(false, 32_766, Selector.ALL, Action.LOOKUP, KernelRoute.TABLE_MAIN, -1));
        all.add(rule(true, 32_766, Selector.ALL, Action.LOOKUP, KernelRoute.TABLE_MAIN, -1));
        all.add(rule(false, 32_767, Selector.ALL, Action.LOOKUP, KernelRule.TABLE_DEFAULT, -1));
        return all;
    }

    private int firstOf(final List<KernelRule> all, final boolean isIpv6)
    {
        int limit = 0;
        while (limit < all.size() && (all.get(limit).isIpv6() != isIpv6 ||
            all.get(limit).table() != KernelRoute.TABLE_MAIN || all.get(limit).action() != Action.LOOKUP))
        {
            limit++;
        }
        return random.nextInt(limit + 1);
    }

    private KernelRule newRule(final boolean isIpv6)
    {
        final Action[] actions = {Action.LOOKUP, Action.LOOKUP, Action.LOOKUP, Action.LOOKUP, Action.BLACKHOLE,
            Action.UNREACHABLE, Action.PROHIBIT, Action.NEXT};
        final Selector selector = new Selector(
            random.nextInt(4) == 0,
            random.nextInt(2) == 0 ? prefix(isIpv6) : null,
            random.nextInt(3) == 0 ? prefix(isIpv6) : null,
            random.nextInt(3) == 0 ? random.nextBoolean() ? "left" : "lo" : null,
            false,
            random.nextInt(6) == 0,
            random.nextInt(10) == 0);
        final int table = TABLES[random.nextInt(TABLES.length)];
        return rule(isIpv6, 100, selector, actions[random.nextInt(actions.length)], table,
            random.nextInt(3) == 0 ? suppressionOf(table) : -1);
    }

    /** One for each table, as all rules that suppress routes of a table must agree to be followed. */
    private static int suppressionOf(final int table)
    {
        return table == KernelRoute.TABLE_MAIN ? 0 : table == 100 ? 12 : 20;
    }

    private static KernelRule rule(
        final boolean isIpv6,
        final long priority,
        final Selector selector,
        final Action action,
        final int table,
        final int suppression)
    {
        return new KernelRule(isIpv6, priority, selector, action, table, suppression, selector + " " + table);
    }

    private IpPrefix prefix(final boolean isIpv6)
    {
        final int[] lengths = isIpv6 ? new int[]{0, 12, 20, 33, 64, 128} : new int[]{0, 8, 12, 16, 21, 28, 32};
        return IpPrefix.of(address(isIpv6), lengths[random.nextInt(lengths.length)]);
    }

    /** Few bits differ, so that prefixes and packets meet. */
    private IpAddress address(final boolean isIpv6)
    {
        final String[] near = isIpv6 ? new String[]{"2001:db8::1", "2001:db8::5"} :
            new String[]{"10.0.0.1", "10.0.0.255", "10.0.0.7"};
        if (random.nextInt(6) == 0)
        {
            return IpAddress.parse(near[random.nextInt(near.length)]);
        }
        return isIpv6 ?
            new IpAddress(
                0x2400_0000_0000_0000L | (long)random.nextInt(4) << 44 | random.nextInt(3), random.nextInt(3)) :
            IpAddress.of(0x1400_0000 | random.nextInt(4) << 18 | random.nextInt(4) << 9 | random.nextInt(3));
    }
}
