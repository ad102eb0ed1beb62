package org.fibnuma.bench.fib;

import org.agrona.collections.Int2IntHashMap;
import org.fibnuma.fibnic.routes.RouteList;
import org.fibnuma.fibnic.routes.RouteTableGenerator;

/**
 * Numbers next hops from 1 in order of appearance, or maps them to a given number of adjacencies to force a code width:
 * more next hops are folded, fewer are spread by a hash of the prefix.
 */
public final class NextHopNumbering
{
    /** One adjacency per next hop. */
    public static final int AS_THEY_ARE = 0;

    private static final int MISSING = -1;

    private final Int2IntHashMap numbers = new Int2IntHashMap(MISSING);
    private final int wanted;
    private final int distinctInTable;

    /**
     * Creates a numbering.
     *
     * @param wanted number of adjacencies, or {@link #AS_THEY_ARE}.
     * @param table  whose next hops get the first numbers; routes without a next hop get a generated one.
     */
    public NextHopNumbering(final int wanted, final RouteList table)
    {
        this.wanted = wanted;
        for (int i = 0; i < table.size(); i++)
        {
            number(nextHopOf(table, i));
        }
        distinctInTable = numbers.size();
    }

    /**
     * Returns the adjacency of an announcement, 1 or more.
     *
     * @param routes of the table or of changes to it.
     * @param index  of the announcement.
     * @return the number of the adjacency.
     */
    public int adjacencyOf(final RouteList routes, final int index)
    {
        final int number = number(nextHopOf(routes, index));
        if (wanted == AS_THEY_ARE)
        {
            return 1 + number;
        }
        if (distinctInTable >= wanted)
        {
            return 1 + number % wanted;
        }
        return 1 + (number + hash(routes.prefix(index), routes.length(index)) * distinctInTable) % wanted;
    }

    private int number(final int nextHop)
    {
        int number = numbers.get(nextHop);
        if (number == MISSING)
        {
            number = numbers.size();
            numbers.put(nextHop, number);
        }
        return number;
    }

    private static int nextHopOf(final RouteList routes, final int index)
    {
        final int nextHop = routes.nextHop(index);
        return nextHop != RouteList.NO_NEXT_HOP ? nextHop : RouteTableGenerator.FIRST_NEXT_HOP +
            hash(routes.prefix(index), routes.length(index)) % RouteTableGenerator.DEFAULT_NEXT_HOPS;
    }

    private static int hash(final int prefix, final int length)
    {
        return (prefix + length) * 0x9E3779B1 >>> 17;
    }
}
