package org.fibnuma.core.kernel;

/** Receives what the kernel says, on the thread that polls {@link KernelNetwork}. */
public interface KernelNetworkListener
{
    /**
     * A full dump begins: what is not seen again before {@link #onDumpEnd} no longer exists. Happens once at the start
     * and after notifications were lost.
     */
    void onDumpStart();

    /** The dump is complete. */
    void onDumpEnd();

    /**
     * A link appeared, changed or went away.
     *
     * @param link    as it is now.
     * @param present false where it went away.
     */
    void onLink(KernelLink link, boolean present);

    /**
     * An address was added or removed.
     *
     * @param address which.
     * @param present false where it was removed.
     */
    void onAddress(KernelAddress address, boolean present);

    /**
     * A neighbour was learned, changed or removed.
     *
     * @param neighbor as it is now.
     * @param present  false where it was removed.
     */
    void onNeighbor(KernelNeighbor neighbor, boolean present);

    /**
     * A route was added, replaced or removed.
     *
     * @param route   which; several may exist for one prefix, told apart by table and metric.
     * @param present false where it was removed.
     * @param replace true where it takes the place of the route with the same prefix, table and metric.
     */
    void onRoute(KernelRoute route, boolean present, boolean replace);
}
