package org.fibnuma.fabric.turns;

/** Receives the paths of a routing one by one. */
@FunctionalInterface
public interface PathVisitor
{
    /**
     * Handles a path between two different switches.
     *
     * @param channels the path from its source; valid only during the call.
     * @param length   number of valid channels, 1 or more.
     * @param weight   demand on this path.
     */
    void onPath(int[] channels, int length, long weight);
}
