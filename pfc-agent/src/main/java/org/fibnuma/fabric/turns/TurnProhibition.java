package org.fibnuma.fabric.turns;

import org.fibnuma.fabric.topology.Fabric;

import java.util.Arrays;

/**
 * Turn prohibition (Starobinski, Karpovsky and Zakrevski): remove the switch with the least traffic on its turns,
 * forbid all its turns, repeat. Every cycle of turns would contain a switch that was removed first, whose turn is
 * forbidden.
 * <p>
 * The switch is chosen among those whose removal keeps the rest connected. So every server still reaches every other: a
 * removed switch is only an end of paths through the rest. Only turns between remaining switches count. On equal
 * traffic the switch with the lower number goes first.
 */
public final class TurnProhibition implements TurnMethod
{
    @Override
    public TurnPlan plan(final TurnTraffic traffic)
    {
        return new Removal(traffic).run();
    }

    private static final class Removal
    {
        private final TurnTraffic traffic;
        private final TurnPairs pairs;
        private final Fabric fabric;
        private final TurnSet allowed;
        private final boolean[] removed;
        private final long[] load;
        private final int[] parent;
        private final CutSwitches cuts;

        Removal(final TurnTraffic traffic)
        {
            this.traffic = traffic;
            this.pairs = traffic.pairs();
            this.fabric = pairs.fabric();
            this.allowed = TurnSet.everything(fabric);
            this.removed = new boolean[fabric.switchCount()];
            this.load = new long[fabric.switchCount()];
            this.parent = new int[fabric.switchCount()];
            this.cuts = new CutSwitches(fabric);
            Arrays.fill(parent, -1);
            for (int pair = 0; pair < pairs.count(); pair++)
            {
                load[pairs.node(pair)] += pairs.isTurn(pair) ? traffic.of(pair) : 0;
            }
        }

        TurnPlan run()
        {
            int last = 0;
            for (int left = fabric.switchCount(); left > 0; left--)
            {
                last = lightest();
                remove(last);
            }
            return new TurnPlan(allowed, new EscapeTree(last, parent),
                "lightest remaining switch first whose removal keeps the rest connected");
        }

        private int lightest()
        {
            final boolean[] isCut = cuts.find(removed);
            int best = -1;
            for (int node = 0; node < load.length; node++)
            {
                if (!removed[node] && !isCut[node] && (best < 0 || load[node] < load[best]))
                {
                    best = node;
                }
            }
            return best;
        }

        private void remove(final int node)
        {
            removed[node] = true;
            final int end = fabric.firstChannel(node + 1);
            for (int a = fabric.firstChannel(node); a < end; a++)
            {
                if (removed[fabric.target(a)])
                {
                    continue;
                }
                parent[node] = a;
                forbidTurnsFrom(a, end);
                forgetTurnsOnto(fabric.reverse(a));
            }
        }

        private void forbidTurnsFrom(final int a, final int end)
        {
            for (int b = a + 1; b < end; b++)
            {
                if (!removed[fabric.target(b)])
                {
                    allowed.forbid(fabric.reverse(a), b);
                    allowed.forbid(fabric.reverse(b), a);
                }
            }
        }

        /** Subtracts the turns of a neighbour onto the removed cable from its traffic. */
        private void forgetTurnsOnto(final int back)
        {
            final int neighbor = fabric.source(back);
            for (int c = fabric.firstChannel(neighbor); c < fabric.firstChannel(neighbor + 1); c++)
            {
                if (!removed[fabric.target(c)] && c != back)
                {
                    load[neighbor] -= traffic.of(pairs.between(back, c));
                }
            }
        }
    }
}
