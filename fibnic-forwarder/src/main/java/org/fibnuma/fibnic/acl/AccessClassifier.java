package org.fibnuma.fibnic.acl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Finds the first of some rules that a packet of one family matches. Immutable after construction; any number of
 * threads. Allocates nothing.
 * <p>
 * It uses recursive flow classification (Gupta and McKeown, SIGCOMM 1999) as far as the tables stay small, and
 * aggregated bit vectors (Baboescu and Varghese, SIGCOMM 2001) for the rest. Each field maps its values to classes; a
 * class is the set of the rules that match these values. A table for two fields maps each pair of classes to the class
 * of the intersection, without the rules that {@link RuleCoverage} removes.
 * <p>
 * A pair with more than {@link #MAX_PAIRS} entries has no table. The sets of the remaining classes are then intersected
 * for each packet, by a summary with one bit for 64 rules. So the memory is bounded for any rules, and the result does
 * not depend on which tables exist.
 */
final class AccessClassifier
{
    /** Entries of one table: 2 MB of memory. */
    static final int MAX_PAIRS = 1 << 20;
    /** Entries of the table from the last pair of classes to the first rule: 4 MB of memory. */
    static final int MAX_RESULTS = 1 << 21;
    /** Classes of a pair; a char numbers them. */
    private static final int MAX_CLASSES = 1 << Character.SIZE;
    /** Words of the sets of one table: 32 MB of memory. */
    private static final int MAX_SET_WORDS = 1 << 22;
    private static final int NONE = -1;
    private static final int PORTS = 1 << Short.SIZE;

    private static final int SOURCE = 0;
    private static final int DESTINATION = 1;
    private static final int SOURCE_PORT = 2;
    private static final int DESTINATION_PORT = 3;
    private static final int KIND = 4;
    private static final int MARK = 5;
    private static final int FIELDS = 6;

    private final int ruleCount;
    private final AddressClasses sources;
    private final AddressClasses destinations;
    private final boolean comparesSources;
    private final boolean comparesDestinations;
    /** By field, class of each value; null for a field that no rule compares, and for addresses. */
    private final ValueClasses[] classes = new ValueClasses[FIELDS];
    private final List<Pair> pairs = new ArrayList<>();
    /** Columns whose classes have no common table. */
    private final int[] roots;
    private final long[][] rootSets;
    private final long[][] rootSummaries;
    private final int words;
    private final int summaryWords;
    /** First rule by the class of the only root, or by the pair of classes of two roots; null if there are more. */
    private final char[] results;
    private final int resultWidth;

    /** A table for the pair of two columns, and the column of its result. */
    private record Pair(int left, int right, int result, int width, char[] table)
    {
    }

    /** A column of classes, and one bit for each field that they depend on. */
    private record Column(int number, int fields, RuleSets sets)
    {
    }

    /**
     * Creates a classifier.
     *
     * @param rules     of one family, in their order, at most {@link AccessList#MAX_RULES}.
     * @param maxPairs  entries of a table at most.
     * @param maxResult entries of the table of results at most.
     */
    static AccessClassifier of(
        final List<AccessRule> rules, final boolean isIpv6, final int maxPairs, final int maxResult)
    {
        return new AccessClassifier(rules, isIpv6, coverageOf(rules), maxPairs, maxResult);
    }

    /**
     * Creates a classifier for {@link #visitMatches}. Its tables are larger than those of {@link #of}, because they
     * have the rules behind the first match too.
     */
    static AccessClassifier ofAllMatches(final List<AccessRule> rules, final boolean isIpv6)
    {
        return new AccessClassifier(rules, isIpv6, null, MAX_PAIRS, 0);
    }

    private AccessClassifier(
        final List<AccessRule> rules,
        final boolean isIpv6,
        final RuleCoverage coverage,
        final int maxPairs,
        final int maxResult)
    {
        ruleCount = rules.size();
        words = RuleSets.wordsOf(ruleCount);
        summaryWords = RuleSets.wordsOf(words);
        sources = AddressClasses.of(rules, isIpv6, AccessRule::source);
        destinations = AddressClasses.of(rules, isIpv6, AccessRule::destination);
        comparesSources = !sources.distinct().areAll();
        comparesDestinations = !destinations.distinct().areAll();
        final Column[] fields = {
            columnOf(SOURCE, sources.distinct()),
            columnOf(DESTINATION, destinations.distinct()),
            portColumn(SOURCE_PORT, rules, AccessRule::sourcePorts),
            portColumn(DESTINATION_PORT, rules, AccessRule::destinationPorts),
            column(
                KIND, AccessKeys.KINDS, rules, AccessClassifier::kindCondition, AccessClassifier::matchesKind),
            column(
                MARK, AccessKeys.MARKS, rules, AccessClassifier::markCondition, AccessClassifier::matchesMark)};
        final List<Column> addresses = join(fields[SOURCE], fields[DESTINATION], coverage, maxPairs);
        final List<Column> ports = join(fields[SOURCE_PORT], fields[DESTINATION_PORT], coverage, maxPairs);
        final List<Column> others = join(fields[KIND], fields[MARK], coverage, maxPairs);
        final List<Column> last = new ArrayList<>(addresses);
        if (ports.size() == 1 && others.size() == 1)
        {
            last.addAll(join(ports.get(0), others.get(0), coverage, maxPairs));
        }
        else
        {
            last.addAll(ports);
            last.addAll(others);
        }
        roots = last.stream().mapToInt(Column::number).toArray();
        rootSets = last.stream().map(column -> column.sets.toArray()).toArray(long[][]::new);
        rootSummaries = last.stream().map(column -> column.sets.summaries()).toArray(long[][]::new);
        resultWidth = last.size() == 2 ? last.get(1).sets.size() : 1;
        results = resultsOf(last, maxResult);
    }

    private static Column columnOf(final int number, final RuleSets sets)
    {
        return sets.areAll() ? null : new Column(number, 1 << number, sets);
    }

    private Column portColumn(
        final int number, final List<AccessRule> rules, final Function<AccessRule, PortRange> field)
    {
        final long[] set = new long[words];
        final List<List<Integer>> edges = new ArrayList<>(Collections.nCopies(PORTS + 1, null));
        for (int rule = 0; rule < ruleCount; rule++)
        {
            addEdge(edges, field.apply(rules.get(rule)).first(), rule);
            addEdge(edges, field.apply(rules.get(rule)).last() + 1, rule);
        }
        final RuleSets sets = new RuleSets(ruleCount);
        final char[] byPort = new char[PORTS];
        int current = 0;
        for (int port = 0; port < PORTS; port++)
        {
            if (edges.get(port) != null)
            {
                edges.get(port).forEach(rule -> set[rule / Long.SIZE] ^= 1L << rule);
            }
            if (port == 0 || edges.get(port) != null)
            {
                current = sets.numberOf(set);
            }
            byPort[port] = (char)current;
        }
        classes[number] = sets.areAll() ? null : new ValueClasses(byPort);
        return columnOf(number, sets);
    }

    private static void addEdge(final List<List<Integer>> edges, final int port, final int rule)
    {
        if (edges.get(port) == null)
        {
            edges.set(port, new ArrayList<>());
        }
        edges.get(port).add(rule);
    }

    /** Computes the classes of a field with few values. Rules with the same condition are tested once for a value. */
    private Column column(
        final int number,
        final int values,
        final List<AccessRule> rules,
        final Function<AccessRule, List<?>> condition,
        final ValueTest matches)
    {
        final Map<List<?>, long[]> rulesOf = new LinkedHashMap<>();
        final List<AccessRule> examples = new ArrayList<>();
        for (int rule = 0; rule < ruleCount; rule++)
        {
            final AccessRule example = rules.get(rule);
            rulesOf.computeIfAbsent(condition.apply(example), key ->
            {
                examples.add(example);
                return new long[words];
            })[rule / Long.SIZE] |= 1L << rule;
        }
        final RuleSets sets = new RuleSets(ruleCount);
        final char[] byValue = new char[values];
        final long[] set = new long[words];
        final List<long[]> rulesOfExamples = List.copyOf(rulesOf.values());
        for (int value = 0; value < values; value++)
        {
            Arrays.fill(set, 0);
            for (int e = 0; e < examples.size(); e++)
            {
                for (int w = 0; w < words && matches.test(examples.get(e), value); w++)
                {
                    set[w] |= rulesOfExamples.get(e)[w];
                }
            }
            byValue[value] = (char)sets.numberOf(set);
        }
        classes[number] = sets.areAll() ? null : new ValueClasses(byValue);
        return columnOf(number, sets);
    }

    private interface ValueTest
    {
        boolean test(AccessRule rule, int value);
    }

    private static List<?> kindCondition(final AccessRule rule)
    {
        return List.of(rule.protocol(), rule.fragments(), rule.needsTransport());
    }

    private static List<?> markCondition(final AccessRule rule)
    {
        return List.of(rule.dscp(), rule.tcpFlagsMask(), rule.tcpFlags());
    }

    private static boolean matchesKind(final AccessRule rule, final int kind)
    {
        final int state = kind >>> AccessKeys.PROTOCOL_BITS;
        final int protocol = kind & (1 << AccessKeys.PROTOCOL_BITS) - 1;
        return (rule.protocol() == AccessRule.ANY || rule.protocol() == protocol) &&
            rule.fragments().matches(state) &&
            (!rule.needsTransport() || state == AccessKeys.WHOLE || state == AccessKeys.FIRST_FRAGMENT);
    }

    private static boolean matchesMark(final AccessRule rule, final int mark)
    {
        return (rule.dscp() == AccessRule.ANY || rule.dscp() == mark >>> AccessKeys.FLAG_BITS) &&
            (mark & rule.tcpFlagsMask()) == rule.tcpFlags();
    }

    private static RuleCoverage coverageOf(final List<AccessRule> rules)
    {
        final RuleCoverage coverage = new RuleCoverage(rules);
        coverage.add(rules, rule -> Optional.ofNullable(rule.source()),
            (outer, inner) -> AccessRule.covers(outer.source(), inner.source()));
        coverage.add(rules, rule -> Optional.ofNullable(rule.destination()),
            (outer, inner) -> AccessRule.covers(outer.destination(), inner.destination()));
        coverage.add(rules, AccessRule::sourcePorts,
            (outer, inner) -> outer.sourcePorts().covers(inner.sourcePorts()));
        coverage.add(rules, AccessRule::destinationPorts,
            (outer, inner) -> outer.destinationPorts().covers(inner.destinationPorts()));
        coverage.add(rules, AccessClassifier::kindCondition, AccessRule::coversKind);
        coverage.add(rules, AccessClassifier::markCondition, AccessRule::coversMark);
        return coverage;
    }

    /** Returns the column of a pair, or both columns if their table would be too large; null is no column. */
    private List<Column> join(
        final Column left, final Column right, final RuleCoverage coverage, final int maxPairs)
    {
        if (left == null || right == null)
        {
            return left == null && right == null ? List.of() : List.of(left == null ? right : left);
        }
        final int width = right.sets.size();
        final List<Column> apart = List.of(left, right);
        if ((long)left.sets.size() * width > maxPairs)
        {
            return apart;
        }
        final RuleSets sets = new RuleSets(ruleCount);
        final int[] table = new int[left.sets.size() * width];
        final long[] both = new long[words];
        for (int i = 0; i < table.length; i++)
        {
            left.sets.intersect(i / width, right.sets, i % width, both);
            table[i] = sets.numberOf(both);
            if ((long)sets.size() * words > MAX_SET_WORDS)
            {
                return apart;
            }
        }
        final int result = FIELDS + pairs.size();
        final int fields = left.fields | right.fields;
        final RuleSets distinct = coverage == null ? sets : reduce(sets, fields, coverage, table);
        if (distinct.size() > MAX_CLASSES)
        {
            return apart;
        }
        final char[] narrow = new char[table.length];
        for (int i = 0; i < table.length; i++)
        {
            narrow[i] = (char)table[i];
        }
        pairs.add(new Pair(left.number, right.number, result, width, narrow));
        return List.of(new Column(result, fields, distinct));
    }

    /** Returns the sets without the rules that cannot be the first match, and renumbers a table. */
    private RuleSets reduce(final RuleSets sets, final int fields, final RuleCoverage coverage, final int[] table)
    {
        final RuleSets reduced = new RuleSets(ruleCount);
        final int[] numbers = new int[sets.size()];
        final long[] set = new long[words];
        for (int number = 0; number < numbers.length; number++)
        {
            sets.copy(number, set);
            coverage.reduce(set, fields);
            numbers[number] = reduced.numberOf(set);
        }
        for (int i = 0; i < table.length; i++)
        {
            table[i] = numbers[table[i]];
        }
        return reduced;
    }

    private char[] resultsOf(final List<Column> last, final int maxResult)
    {
        if (last.isEmpty() || last.size() > 2)
        {
            return null;
        }
        final RuleSets left = last.get(0).sets;
        final RuleSets right = last.get(last.size() - 1).sets;
        if ((long)left.size() * resultWidth > maxResult)
        {
            return null;
        }
        final char[] firsts = new char[left.size() * resultWidth];
        for (int i = 0; i < firsts.length; i++)
        {
            firsts[i] = (char)left.firstOfBoth(i / resultWidth, right, last.size() == 1 ? i : i % resultWidth);
        }
        return firsts;
    }

    long bytes()
    {
        long bytes = (results == null ? 0 : 2L * results.length) + sources.bytes() + destinations.bytes();
        for (final ValueClasses ofField : classes)
        {
            bytes += ofField == null ? 0 : ofField.bytes();
        }
        for (final Pair pair : pairs)
        {
            bytes += 2L * pair.table.length;
        }
        for (int root = 0; root < roots.length; root++)
        {
            bytes += 8L * (rootSets[root].length + rootSummaries[root].length);
        }
        return bytes;
    }

    /**
     * Stores the first rule that each packet matches in {@link AccessKeys#rules}, the number of rules where none does.
     *
     * @param keys  packets of the family of the rules.
     * @param count of the packets, at most {@link org.fibnuma.core.frame.FrameBatch#CAPACITY}.
     */
    void classify(final AccessKeys keys, final int count)
    {
        classifyFields(keys, count);
        for (int p = 0; p < pairs.size(); p++)
        {
            final Pair pair = pairs.get(p);
            join(keys.columns[pair.left], keys.columns[pair.right], pair.width, pair.table, count,
                keys.columns[pair.result]);
        }
        if (results == null)
        {
            for (int k = 0; k < count; k++)
            {
                keys.rules[k] = next(keys, k, 0);
            }
        }
        else if (roots.length == 1)
        {
            readResults(keys.columns[roots[0]], results, count, keys.rules);
        }
        else
        {
            readResults(keys.columns[roots[0]], keys.columns[roots[1]], resultWidth, results, count, keys.rules);
        }
    }

    private void classifyFields(final AccessKeys keys, final int count)
    {
        if (comparesSources)
        {
            sources.find(keys.sourceHighs, keys.sourceLows, count, keys.columns[SOURCE]);
        }
        if (comparesDestinations)
        {
            destinations.find(keys.destinationHighs, keys.destinationLows, count, keys.columns[DESTINATION]);
        }
        readClasses(SOURCE_PORT, keys.sourcePorts, keys, count);
        readClasses(DESTINATION_PORT, keys.destinationPorts, keys, count);
        readClasses(KIND, keys.kinds, keys, count);
        readClasses(MARK, keys.marks, keys, count);
    }

    private void readClasses(final int field, final int[] values, final AccessKeys keys, final int count)
    {
        if (classes[field] != null)
        {
            classes[field].read(values, count, keys.columns[field]);
        }
    }

    private static void join(
        final int[] left, final int[] right, final int width, final char[] table, final int count, final int[] column)
    {
        for (int k = 0; k < count; k++)
        {
            column[k] = table[left[k] * width + right[k]];
        }
    }

    private static void readResults(final int[] column, final char[] results, final int count, final int[] rules)
    {
        for (int k = 0; k < count; k++)
        {
            rules[k] = results[column[k]];
        }
    }

    private static void readResults(
        final int[] left, final int[] right, final int width, final char[] results, final int count, final int[] rules)
    {
        for (int k = 0; k < count; k++)
        {
            rules[k] = results[left[k] * width + right[k]];
        }
    }

    /**
     * Returns the first rule from one on that the packet at a position matches, after {@link #classify}.
     *
     * @return the rule, or the number of rules if none matches.
     */
    int next(final AccessKeys keys, final int k, final int from)
    {
        int word = from / Long.SIZE;
        long skipped = (1L << from) - 1;
        while (word < words)
        {
            word = nextWord(keys, k, word);
            if (word == NONE)
            {
                return ruleCount;
            }
            long both = word == from / Long.SIZE ? ~skipped : ~0L;
            for (int root = 0; root < roots.length; root++)
            {
                both &= rootSets[root][keys.columns[roots[root]][k] * words + word];
            }
            if (both != 0)
            {
                return Math.min(ruleCount, word * Long.SIZE + Long.numberOfTrailingZeros(both));
            }
            skipped = 0;
            word++;
        }
        return ruleCount;
    }

    /** Returns the first word from a position on that the summaries of all roots have, or NONE. */
    private int nextWord(final AccessKeys keys, final int k, final int from)
    {
        long considered = ~0L << from;
        for (int s = from / Long.SIZE; s < summaryWords; s++)
        {
            long all = considered;
            for (int root = 0; root < roots.length; root++)
            {
                all &= rootSummaries[root][keys.columns[roots[root]][k] * summaryWords + s];
            }
            if (all != 0)
            {
                final int word = s * Long.SIZE + Long.numberOfTrailingZeros(all);
                return word < words ? word : NONE;
            }
            considered = ~0L;
        }
        return NONE;
    }

    /** Receives the first two rules that some packets match; the number of rules stands for none. */
    interface MatchVisitor
    {
        void onMatch(int first, int second);
    }

    /**
     * Visits the first two matches of every combination of classes, and so of every packet.
     *
     * @return false, without a call of the visitor, if there are more combinations than {@code most}.
     */
    boolean visitMatches(final long most, final MatchVisitor visitor)
    {
        final long[] one = new long[words];
        Arrays.fill(one, ~0L);
        final long[] left = roots.length > 0 ? rootSets[0] : one;
        final long[] right = roots.length > 1 ? rootSets[1] : one;
        final int leftCount = left.length / words;
        final int rightCount = right.length / words;
        if (roots.length > 2 || (long)leftCount * rightCount > most)
        {
            return false;
        }
        for (int l = 0; l < leftCount; l++)
        {
            for (int r = 0; r < rightCount; r++)
            {
                final int first = nextOfBoth(left, l * words, right, r * words, 0);
                visitor.onMatch(first, nextOfBoth(left, l * words, right, r * words, first + 1));
            }
        }
        return true;
    }

    private int nextOfBoth(final long[] left, final int l, final long[] right, final int r, final int from)
    {
        long considered = ~0L << from;
        for (int w = from / Long.SIZE; w < words; w++)
        {
            final long both = left[l + w] & right[r + w] & considered;
            if (both != 0)
            {
                return Math.min(ruleCount, w * Long.SIZE + Long.numberOfTrailingZeros(both));
            }
            considered = ~0L;
        }
        return ruleCount;
    }
}
