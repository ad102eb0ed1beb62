package org.fibnuma.bench.fabric;

import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.plan.FatTreePaths;
import org.fibnuma.fabric.tables.DestinationRoutes;
import org.fibnuma.fabric.tables.ForwardingTables;
import org.fibnuma.fabric.tables.JointRoutes;
import org.fibnuma.fabric.tables.Lanes;
import org.fibnuma.fabric.turns.TurnAddition;
import org.fibnuma.fabric.turns.TurnMethod;
import org.fibnuma.fabric.turns.TurnProhibition;
import org.fibnuma.fabric.turns.TurnTraffic;
import org.fibnuma.fabric.turns.UpDown;

import java.util.List;

/** Routing methods that are compared. */
enum Method
{
    /** Turn addition in the sound form. */
    ADDITION("turn-addition", FatTreePaths.INSIDE_WEIGHT),
    /** Turn addition as in the paper. */
    ADDITION_PAPER("turn-addition-paper", FatTreePaths.INSIDE_WEIGHT),
    /**
     * Turn prohibition. In fat trees the traffic inside the trees is planned before all traffic between them: only this
     * preserves full bandwidth inside at every size, as stated in the paper.
     */
    PROHIBITION("tp", FatTreePaths.INSIDE_FIRST),
    /** Turn prohibition with the paper's demand between trees, 1/100 of that inside. */
    PROHIBITION_HUNDREDTH("tp-hundredth", FatTreePaths.INSIDE_WEIGHT),
    /** Up*&#47;Down* routing. */
    UP_DOWN("updown", FatTreePaths.INSIDE_WEIGHT);

    private final String label;
    private final long insideWeight;

    Method(final String label, final long insideWeight)
    {
        this.label = label;
        this.insideWeight = insideWeight;
    }

    String label()
    {
        return label;
    }

    /** Returns the demand inside a tree by which the method chooses turns, in units of the demand between trees. */
    long insideWeight()
    {
        return insideWeight;
    }

    /** Returns tables by destination as {@code fabric plan} builds them; turn addition in its sound form joint ones. */
    ForwardingTables tables(final TurnTraffic traffic, final Demand demand, final long seed)
    {
        final ForwardingTables own = new DestinationRoutes(planner(seed).plan(traffic), demand).make().tables();
        return this != ADDITION ? own : JointRoutes.of(List.of(own, PROHIBITION.tables(traffic, demand, seed)),
            Lanes.one(own.fabric()), demand, seed);
    }

    TurnMethod planner(final long seed)
    {
        switch (this)
        {
            case ADDITION:
                return TurnAddition.sound(seed);
            case ADDITION_PAPER:
                return TurnAddition.asInThePaper(seed);
            case UP_DOWN:
                return new UpDown();
            default:
                return new TurnProhibition();
        }
    }
}
