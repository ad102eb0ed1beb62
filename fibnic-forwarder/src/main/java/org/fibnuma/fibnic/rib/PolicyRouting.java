package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.kernel.KernelRule;
import org.fibnuma.fibnic.adjacency.AdjacencyKind;
import org.fibnuma.fibnic.adjacency.InterfaceRules;
import org.fibnuma.fibnic.fib.FibRules;
import org.fibnuma.fibnic.fib.FibRules.Selector;
import org.fibnuma.fibnic.fib.FibRules.Step;
import org.fibnuma.fibnic.fib.Ipv6Fib;
import org.fibnuma.fibnic.fib.ReaderEpochs;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * Policy routing: the routing tables beside main and local, and the rules that select a table. For each ingress
 * interface the rules are compiled to those that its packets can meet. A rule with a condition that the router does not
 * know leaves its packets to the kernel. A table exists from its first route on. Control thread.
 */
final class PolicyRouting
{
    /** Ingress interface of packets of the host itself in rules. */
    static final String OWN = "lo";

    private final ReaderEpochs epochs;
    private final NextHopTable nextHops;
    private final BiFunction<Boolean, FibWriter, FibProgrammer> newProgrammer;
    private final Map<Integer, Table> ipv4 = new TreeMap<>();
    private final Map<Integer, Table> ipv6 = new TreeMap<>();
    private final List<FibProgrammer> programmers = new ArrayList<>();
    private final Table ipv4Main;
    private final Table ipv6Main;
    private final Map<InterfaceRules, InterfaceRules> compiled = new HashMap<>();
    private List<KernelRule> rules = List.of();

    /** A table of one family. The main table has its FIB elsewhere. */
    private static final class Table
    {
        private final Ipv6Fib fib;
        private final SplitFib writer;
        private Ipv6Fib shorter;
        private FibProgrammer programmer;
        private boolean isUsed;

        private Table(final boolean isIpv6, final ReaderEpochs epochs, final Ipv6Fib fib, final FibWriter longer)
        {
            this.fib = fib;
            this.writer = new SplitFib(longer, () -> writerOf(shorter = new Ipv6Fib(epochs), isIpv6));
        }

        private static FibWriter writerOf(final Ipv6Fib fib, final boolean isIpv6)
        {
            return isIpv6 ? FibWriter.of(fib) : FibWriter.ofIpv4(fib);
        }
    }

    /**
     * Creates policy routing without further tables and rules.
     *
     * @param epochs        of the workers.
     * @param nextHops      of all tables.
     * @param ipv4Fib       of the main table.
     * @param ipv6Fib       of the main table.
     * @param newProgrammer makes the programmer of a further table of a family, true for IPv6, from its FIB.
     */
    PolicyRouting(
        final ReaderEpochs epochs,
        final NextHopTable nextHops,
        final FibWriter ipv4Fib,
        final FibWriter ipv6Fib,
        final BiFunction<Boolean, FibWriter, FibProgrammer> newProgrammer)
    {
        this.epochs = epochs;
        this.nextHops = nextHops;
        this.newProgrammer = newProgrammer;
        this.ipv4Main = new Table(false, epochs, null, ipv4Fib);
        this.ipv6Main = new Table(true, epochs, null, ipv6Fib);
    }

    /** Returns what the programmer of the main table writes to. */
    FibWriter mainFib(final boolean isIpv6)
    {
        return (isIpv6 ? ipv6Main : ipv4Main).writer;
    }

    /** Sets the programmers of the main table. */
    void main(final FibProgrammer ipv4Programmer, final FibProgrammer ipv6Programmer)
    {
        ipv4Main.programmer = ipv4Programmer;
        ipv6Main.programmer = ipv6Programmer;
    }

    /** Returns the programmer of a table other than main and local; it is made if there is none. */
    FibProgrammer programmer(final int table, final boolean isIpv6)
    {
        return tables(isIpv6).computeIfAbsent(table, absent ->
        {
            final Ipv6Fib fib = new Ipv6Fib(epochs);
            final Table made = new Table(isIpv6, epochs, fib, Table.writerOf(fib, isIpv6));
            made.programmer = newProgrammer.apply(isIpv6, made.writer);
            programmers.add(made.programmer);
            return made;
        }).programmer;
    }

    /** Passes the programmers of all tables of a family, except the main table, to a consumer. */
    void forEach(final boolean isIpv6, final Consumer<FibProgrammer> consumer)
    {
        tables(isIpv6).values().forEach(table -> consumer.accept(table.programmer));
    }

    /** Returns the programmers of all tables except the main table. */
    Collection<FibProgrammer> programmers()
    {
        return programmers;
    }

    /** Returns the numbers of the tables of a family that have a route, without main and local. */
    Collection<Integer> numbers(final boolean isIpv6)
    {
        return tables(isIpv6).entrySet().stream()
            .filter(table -> table.getValue().programmer.rib().size() > 0).map(Map.Entry::getKey).toList();
    }

    /** Returns the programmer of main or a table of {@link #numbers}; null if there is none. */
    FibProgrammer find(final int table, final boolean isIpv6)
    {
        final Table found = tableOf(table, isIpv6);
        return found == null ? null : found.programmer;
    }

    /** Returns the FIB of a table other than main and local; without routes if there is none. */
    Ipv6Fib fib(final int table, final boolean isIpv6)
    {
        programmer(table, isIpv6);
        return tableOf(table, isIpv6).fib;
    }

    /** Returns the FIB of the routes that a table, also the main table, has in a FIB of their own, or null. */
    Ipv6Fib shorterFib(final int table, final boolean isIpv6)
    {
        final Table found = tableOf(table, isIpv6);
        return found == null ? null : found.shorter;
    }

    /** Returns whether a table has got its first route or lost its last one since rules were compiled. */
    boolean isDue()
    {
        return isDue(ipv4) || isDue(ipv6);
    }

    private static boolean isDue(final Map<Integer, Table> tables)
    {
        for (final Table table : tables.values())
        {
            if (table.isUsed != table.programmer.rib().size() > 0)
            {
                return true;
            }
        }
        return false;
    }

    private Map<Integer, Table> tables(final boolean isIpv6)
    {
        return isIpv6 ? ipv6 : ipv4;
    }

    private Table tableOf(final int number, final boolean isIpv6)
    {
        return number == KernelRoute.TABLE_MAIN ? isIpv6 ? ipv6Main : ipv4Main : tables(isIpv6).get(number);
    }

    /** Returns the rules in use, in the order in which the kernel applies them. */
    List<KernelRule> rules()
    {
        return rules;
    }

    /**
     * Applies rules instead of those before, or the same ones to other tables.
     *
     * @param now     of both families; without any, packets are routed by the main table.
     * @param publish passes the result of {@link #of} for each interface to the workers.
     */
    void apply(final List<KernelRule> now, final Runnable publish)
    {
        rules = List.copyOf(now);
        compiled.clear();
        final List<Table> all = new ArrayList<>(List.of(ipv4Main, ipv6Main));
        all.addAll(ipv4.values());
        all.addAll(ipv6.values());
        for (final Table table : all)
        {
            table.isUsed = table.programmer.rib().size() > 0;
        }
        final Map<Table, Integer> before = new HashMap<>();
        all.forEach(table -> before.put(table, table.writer.length()));
        ipv4Main.programmer.split(ipv4Main.writer, suppressionOf(KernelRoute.TABLE_MAIN, false));
        ipv6Main.programmer.split(ipv6Main.writer, suppressionOf(KernelRoute.TABLE_MAIN, true));
        ipv4.forEach((number, table) -> table.programmer.split(table.writer, suppressionOf(number, false)));
        ipv6.forEach((number, table) -> table.programmer.split(table.writer, suppressionOf(number, true)));
        publish.run();
        all.forEach(table -> table.programmer.endSplit(table.writer, before.get(table)));
    }

    /** Returns the suppression of the first rule for a table that has one. */
    private int suppressionOf(final int number, final boolean isIpv6)
    {
        return rules.stream()
            .filter(rule -> rule.isIpv6() == isIpv6 && rule.action() == KernelRule.Action.LOOKUP &&
                rule.table() == number && rule.suppression() != KernelRule.NO_SUPPRESSION)
            .mapToInt(KernelRule::suppression).findFirst().orElse(SplitFib.WHOLE);
    }

    /** Returns whether a rule leaves packets to the kernel. */
    boolean isLeft(final KernelRule rule)
    {
        return rule.concernsForwarded() && !isKnown(rule);
    }

    private boolean isKnown(final KernelRule rule)
    {
        return !rule.selector().byOthers() && switch (rule.action())
        {
            case LOOKUP -> rule.table() == KernelRoute.TABLE_LOCAL ?
                rule.selector().equals(KernelRule.Selector.ALL) && rule.suppression() == KernelRule.NO_SUPPRESSION :
                rule.suppression() == KernelRule.NO_SUPPRESSION ||
                rule.suppression() == suppressionOf(rule.table(), rule.isIpv6());
            case OTHER -> false;
            default -> true;
        };
    }

    /** Returns the rules for packets that an interface of some name receives. Equal rules are one object. */
    InterfaceRules of(final String ingress)
    {
        if (rules.isEmpty())
        {
            return InterfaceRules.NONE;
        }
        final InterfaceRules now = new InterfaceRules(compile(false, ingress), compile(true, ingress));
        final InterfaceRules same = now.equals(InterfaceRules.NONE) ? InterfaceRules.NONE : compiled.get(now);
        if (same == null)
        {
            compiled.put(now, now);
        }
        return same == null ? now : same;
    }

    /** Returns the rules of a family that packets from an interface can meet, null if they need the main table only. */
    private FibRules compile(final boolean isIpv6, final String ingress)
    {
        final List<Step> steps = new ArrayList<>();
        boolean isComplete = false;
        boolean hasLocal = false;
        for (int i = 0; i < rules.size() && !isComplete; i++)
        {
            final KernelRule rule = rules.get(i);
            final Selector selector = rule.isIpv6() == isIpv6 ? selectorOf(rule, ingress) : null;
            if (selector != null)
            {
                isComplete = add(steps, rule, selector, hasLocal) && selector.equals(Selector.ALL);
                hasLocal |= steps.contains(Step.ofHost(Selector.ALL));
            }
        }
        final boolean isUsual = steps.equals(List.of(Step.ofHost(Selector.ALL), Step.ofMain(Selector.ALL)));
        return isUsual || rules.stream().noneMatch(rule -> rule.isIpv6() == isIpv6) ? null : new FibRules(
            steps, nextHops.puntAdjacency(), nextHops.sharedAdjacency(AdjacencyKind.BLACKHOLE),
            nextHops.sharedAdjacency(AdjacencyKind.UNREACHABLE), nextHops.sharedAdjacency(AdjacencyKind.PROHIBIT));
    }

    /** Returns the packets from an interface that a rule may match, or null if it matches none. */
    private static Selector selectorOf(final KernelRule rule, final String ingress)
    {
        final KernelRule.Selector selector = rule.selector();
        final boolean never = selector.never() || selector.byVrf() ||
            selector.ingress() != null && !Objects.equals(selector.ingress(), ingress);
        if (never)
        {
            return selector.inverted() ? Selector.ALL : null;
        }
        if (selector.inverted() && selector.byOthers())
        {
            return Selector.ALL;
        }
        if (selector.source() == null && selector.destination() == null)
        {
            return selector.inverted() ? null : Selector.ALL;
        }
        return Selector.of(selector.inverted(), selector.source(), selector.destination());
    }

    /** Adds the steps of a rule; returns whether its packets meet no later rule. */
    private boolean add(
        final List<Step> steps, final KernelRule rule, final Selector selector, final boolean hasLocal)
    {
        if (!isKnown(rule))
        {
            return steps.add(Step.of(selector, nextHops.puntAdjacency()));
        }
        return switch (rule.action())
        {
            case BLACKHOLE -> steps.add(Step.of(selector, nextHops.sharedAdjacency(AdjacencyKind.BLACKHOLE)));
            case PROHIBIT -> steps.add(Step.of(selector, nextHops.sharedAdjacency(AdjacencyKind.PROHIBIT)));
            case UNREACHABLE -> steps.add(Step.of(selector, 0));
            case NEXT -> false;
            default -> addLookup(steps, rule, selector, hasLocal);
        };
    }

    private boolean addLookup(
        final List<Step> steps, final KernelRule rule, final Selector selector, final boolean hasLocal)
    {
        final int number = rule.table();
        if (number == KernelRoute.TABLE_LOCAL)
        {
            steps.add(Step.ofHost(selector));
            return false;
        }
        if (number == KernelRoute.TABLE_MAIN && !hasLocal)
        {
            // The FIB of the main table has the routes of the local table in front.
            return steps.add(Step.of(selector, nextHops.puntAdjacency()));
        }
        final Table table = tableOf(number, rule.isIpv6());
        if (table != null && (number == KernelRoute.TABLE_MAIN || table.isUsed))
        {
            steps.add(table.fib == null ? Step.ofMain(selector) : Step.of(selector, table.fib));
            if (table.writer.length() != SplitFib.WHOLE)
            {
                steps.add(rule.suppression() == KernelRule.NO_SUPPRESSION ?
                    Step.of(selector, table.shorter) : Step.ofRefusals(selector, table.shorter));
            }
        }
        return false;
    }
}
