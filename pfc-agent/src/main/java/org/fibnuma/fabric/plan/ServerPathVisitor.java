package org.fibnuma.fabric.plan;

/** Sees the paths of a routing one after the other, with the server that each leads to. */
@FunctionalInterface
public interface ServerPathVisitor
{
    /**
     * A path between two different switches.
     *
     * @param server   that it leads to.
     * @param channels the way, from the source on; only valid during the call.
     * @param length   how many of them count, at least 1.
     * @param weight   the demand that takes this path.
     */
    void onPath(int server, int[] channels, int length, long weight);
}
