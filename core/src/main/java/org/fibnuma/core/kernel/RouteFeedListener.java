package org.fibnuma.core.kernel;

/** Receives the routes of a routing daemon, on the thread that polls {@link RouteFeed}. */
public interface RouteFeedListener
{
    /**
     * Reports that a daemon has connected, with its address and TCP port. It sends all its routes again; nothing marks
     * the end of them. Numbers of next-hop objects of earlier connections are no longer valid.
     */
    void onConnect(String peer);

    /**
     * Reports that a connection from an address and TCP port was refused because another daemon is connected. Reported
     * once for each connected daemon.
     */
    void onRefuse(String peer);

    /** Reports that the connection has ended, and the reason in one line. The daemon's routes stay valid. */
    void onDisconnect(String reason);

    /**
     * Reports that a message was not applied, and the reason in one line: it was malformed, or routes cannot have its
     * properties. Messages after it are applied.
     */
    void onSkip(String reason);

    /**
     * Reports a route of the main table that was added or replaced, or removed if {@code present} is false. A
     * replacement is one call, also if the daemon removes the old route first.
     *
     * @param route     valid during the call; family, prefix and metric identify it. The other fields of a removed
     *                  route are undefined.
     * @param nextHopId number of the next-hop object that contains the route's next hop, or 0.
     * @param present   false if it was removed.
     */
    void onRoute(KernelRouteView route, int nextHopId, boolean present);

    /**
     * Reports that a next-hop object has another next hop now. All routes with its number change.
     *
     * @param nextHopId number of the object, not 0.
     * @param nextHop   with the kind, gateway and interface of the routes; its other fields are undefined.
     */
    void onNextHop(int nextHopId, KernelRouteView nextHop);
}
