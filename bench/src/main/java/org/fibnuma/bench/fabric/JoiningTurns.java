package org.fibnuma.bench.fabric;

import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.JoinedFatTrees;
import org.fibnuma.fabric.turns.TurnSet;

/**
 * The turns onto the cables between two trees: table 2 of the paper.
 *
 * @param turns     pairs of a joining cable and another cable at either of its switches.
 * @param forbidden number of forbidden ones.
 */
record JoiningTurns(int turns, int forbidden)
{
    /** Counts the turns between two trees. */
    static JoiningTurns of(final JoinedFatTrees trees, final TurnSet allowed)
    {
        final Fabric fabric = trees.fabric();
        int turns = 0;
        int forbidden = 0;
        for (int cable = 0; cable < trees.crossCables(); cable++)
        {
            for (final int across : new int[]{trees.crossChannel(cable), fabric.reverse(trees.crossChannel(cable))})
            {
                final int node = fabric.source(across);
                for (int other = fabric.firstChannel(node); other < fabric.firstChannel(node + 1); other++)
                {
                    turns += other == across ? 0 : 1;
                    forbidden += other == across || allowed.allows(fabric.reverse(other), across) ? 0 : 1;
                }
            }
        }
        return new JoiningTurns(turns, forbidden);
    }
}
