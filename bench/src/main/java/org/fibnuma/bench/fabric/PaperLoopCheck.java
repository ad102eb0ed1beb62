package org.fibnuma.bench.fabric;

import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.turns.TurnPairs;

/**
 * The paper's figures 16 and 17: turns are nodes with lists of the turns that follow, and each decision on a turn is a
 * depth-first search from it over all turns that follow. A mark prevents a second visit of a turn in one search, which
 * the paper's bound of O(n) presumes.
 */
final class PaperLoopCheck
{
    private final TurnPairs pairs;
    private final Fabric fabric;
    private final int[][] next;
    private final int[] count;
    private final boolean[] added;
    private final int[] stack;
    private final int[] mark;
    private int search;

    PaperLoopCheck(final TurnPairs pairs)
    {
        this.pairs = pairs;
        this.fabric = pairs.fabric();
        final int turns = 2 * pairs.count();
        this.next = new int[turns][];
        this.count = new int[turns];
        this.added = new boolean[turns];
        this.stack = new int[turns];
        this.mark = new int[turns];
        for (int turn = 0; turn < turns; turn++)
        {
            next[turn] = new int[fabric.degree(fabric.target(out(turn)))];
        }
    }

    /** Decides on every pair in turn; returns the number of forbidden ones. */
    int distinct(final int[] order)
    {
        int prohibited = 0;
        for (final int pair : order)
        {
            final int turn = 2 * pair;
            add(turn);
            if (closesLoop(turn))
            {
                delete(turn);
                prohibited++;
            }
            else
            {
                add(turn + 1);
            }
        }
        return prohibited;
    }

    /** Turn 2 n goes from the low cable of pair n to the high one, turn 2 n + 1 back. */
    private int in(final int turn)
    {
        return fabric.reverse(turn % 2 == 0 ? pairs.low(turn / 2) : pairs.high(turn / 2));
    }

    private int out(final int turn)
    {
        return turn % 2 == 0 ? pairs.high(turn / 2) : pairs.low(turn / 2);
    }

    private int turnOf(final int in, final int out)
    {
        final int pair = pairs.ofTurn(in, out);
        return 2 * pair + (pairs.high(pair) == out ? 0 : 1);
    }

    private void add(final int turn)
    {
        added[turn] = true;
        count[turn] = 0;
        final int after = fabric.target(out(turn));
        for (int out = fabric.firstChannel(after); out < fabric.firstChannel(after + 1); out++)
        {
            if (out != fabric.reverse(out(turn)) && added[turnOf(out(turn), out)])
            {
                next[turn][count[turn]++] = turnOf(out(turn), out);
            }
        }
        final int before = fabric.source(in(turn));
        for (int back = fabric.firstChannel(before); back < fabric.firstChannel(before + 1); back++)
        {
            if (back != in(turn) && added[turnOf(fabric.reverse(back), in(turn))])
            {
                final int earlier = turnOf(fabric.reverse(back), in(turn));
                next[earlier][count[earlier]++] = turn;
            }
        }
    }

    /** Deletes the turn that was added last, which is the last entry of all lists that contain it. */
    private void delete(final int turn)
    {
        added[turn] = false;
        final int before = fabric.source(in(turn));
        for (int back = fabric.firstChannel(before); back < fabric.firstChannel(before + 1); back++)
        {
            if (back != in(turn) && added[turnOf(fabric.reverse(back), in(turn))])
            {
                count[turnOf(fabric.reverse(back), in(turn))]--;
            }
        }
    }

    private boolean closesLoop(final int turn)
    {
        search++;
        int depth = 0;
        stack[depth++] = turn;
        while (depth > 0)
        {
            final int current = stack[--depth];
            for (int i = 0; i < count[current]; i++)
            {
                final int following = next[current][i];
                if (following == turn)
                {
                    return true;
                }
                if (mark[following] != search)
                {
                    mark[following] = search;
                    stack[depth++] = following;
                }
            }
        }
        return false;
    }
}
