package org.fibnuma.fabric.turns;

/** Sees the paths of a routing one after the other. */
@FunctionalInterface
public interface PathVisitor
{
    /**
     * A path between two different switches.
     *
     * @param channels the way, from the source on; only valid during the call.
     * @param length   how many of them count, at least 1.
     * @param weight   the demand that takes this path.
     */
    void onPath(int[] channels, int length, long weight);
}
