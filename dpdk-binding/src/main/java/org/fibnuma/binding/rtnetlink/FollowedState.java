package org.fibnuma.binding.rtnetlink;

/**
 * What a dump reads and the notifications change: on this it depends what a notification means for the routes.
 *
 * @param interfaces     states and addresses of interfaces, and which of them routes use.
 * @param ownRoutes      routes that the kernel made for addresses.
 * @param nextHops       next-hop objects.
 * @param duplicates     IPv4 routes with the same prefix, table and metric.
 * @param ipv6Duplicates the same for IPv6.
 */
record FollowedState(
    InterfaceStates interfaces,
    OwnRoutes ownRoutes,
    NextHops nextHops,
    DuplicateRoutes duplicates,
    Ipv6DuplicateRoutes ipv6Duplicates)
{
    FollowedState()
    {
        this(new InterfaceStates(), new OwnRoutes(), new NextHops(), new DuplicateRoutes(), new Ipv6DuplicateRoutes());
    }
}
