package org.fibnuma.bench.acl;

/**
 * Kinds of rule sets, after the seed filter sets of ClassBench (Taylor and Turner, INFOCOM 2005): how often a field is
 * a wildcard, and how ports are given. The shares are round numbers, not those of one of its files.
 */
public enum RuleShape
{
    /** Access control lists: long destination prefixes, exact destination ports, source ports seldom. */
    ACL(10, 2, 24, 2, 70, 80),
    /** Firewalls: many wildcards in both addresses, ranges of ports on both sides. */
    FW(50, 35, 20, 35, 40, 60),
    /** IP chains: both addresses, many hosts and short prefixes, ports on both sides at times. */
    IPC(15, 12, 16, 15, 45, 70);

    final int sourceAny;
    final int destinationAny;
    final int shortest;
    final int sourcePorts;
    final int exactPorts;
    final int destinationPorts;

    RuleShape(
        final int sourceAny,
        final int destinationAny,
        final int shortest,
        final int sourcePorts,
        final int exactPorts,
        final int destinationPorts)
    {
        this.sourceAny = sourceAny;
        this.destinationAny = destinationAny;
        this.shortest = shortest;
        this.sourcePorts = sourcePorts;
        this.exactPorts = exactPorts;
        this.destinationPorts = destinationPorts;
    }
}
