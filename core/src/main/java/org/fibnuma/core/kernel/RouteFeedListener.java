package org.fibnuma.core.kernel;

/** Receives the routes of a routing daemon, on the thread that polls {@link RouteFeed}. */
public interface RouteFeedListener
{
    /**
     * A daemon has connected. It hands over all its routes again; nothing marks the end of them. Numbers of next-hop
     * objects of earlier connections are no longer valid.
     *
     * @param peer address and port of the daemon.
     */
    void onConnect(String peer);

    /**
     * A connection was refused because another daemon is connected. Reported once for each connection that is in the
     * way.
     *
     * @param peer address and port of the refused daemon.
     */
    void onRefuse(String peer);

    /**
     * The connection has ended. The daemon's routes stay valid.
     *
     * @param reason in one line, such as what was wrong with a frame.
     */
    void onDisconnect(String reason);

    /**
     * A message was not applied because it is not well formed, or means something that routes cannot have. Messages
     * after it are applied.
     *
     * @param reason in one line.
     */
    void onSkip(String reason);

    /**
     * A route of the main table was added, replaced or removed. A replacement is one call, also where the daemon
     * removes the old route first.
     *
     * @param route     valid during the call; family, prefix and metric identify it. The other fields of a removed
     *                  route are undefined.
     * @param nextHopId number of the next-hop object that the route's next hop was taken from, or 0.
     * @param present   false if it was removed.
     */
    void onRoute(KernelRouteView route, int nextHopId, boolean present);

    /**
     * A next-hop object that routes may name is another next hop now. All routes with its number change.
     *
     * @param nextHopId number of the object, not 0.
     * @param nextHop   with the kind, gateway and interface of the routes; its other fields are undefined.
     */
    void onNextHop(int nextHopId, KernelRouteView nextHop);
}
