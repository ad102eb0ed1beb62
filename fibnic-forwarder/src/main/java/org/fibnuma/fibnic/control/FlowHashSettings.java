package org.fibnuma.fibnic.control;

import org.agrona.concurrent.EpochClock;
import org.fibnuma.fibnic.multipath.FlowHash;

import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Follows the kernel's {@code fib_multipath_hash_policy} of both families (Linux, Documentation/networking/
 * ip-sysctl.rst): 0 by addresses, 1 by addresses, protocol and transport ports. The policies for inner packets of
 * tunnels (2) and for chosen fields (3) are not implemented: 2 counts as 0 and 3 as 1. Each change is logged. Control
 * thread.
 */
final class FlowHashSettings extends PolledSettings
{
    /** The settings of both families. */
    static final Path KERNEL = Path.of("/proc/sys/net");

    private static final String SETTING = "fib_multipath_hash_policy";
    private static final String[] FAMILIES = {"ipv4", "ipv6"};
    private static final int BY_ADDRESSES = 0;
    private static final int BY_PORTS = 1;
    private static final int BY_INNER_ADDRESSES = 2;

    private final FlowHash flows;
    private final Consumer<String> log;
    private final int[] policies = {BY_ADDRESSES, BY_ADDRESSES};

    /** Reads settings below a directory that has a subdirectory for each family. */
    FlowHashSettings(
        final Path directory, final FlowHash flows, final EpochClock clock, final Consumer<String> log)
    {
        super(directory, clock);
        this.flows = flows;
        this.log = log;
    }

    @Override
    void read()
    {
        for (int family = 0; family < FAMILIES.length; family++)
        {
            // A kernel without routes of several next hops has no such file.
            final int policy = numberOf(FAMILIES[family], SETTING, BY_ADDRESSES);
            if (policy != policies[family])
            {
                policies[family] = policy;
                final boolean byPorts = policy != BY_ADDRESSES && policy != BY_INNER_ADDRESSES;
                flows.byPorts(family == 1, byPorts);
                final String setting = "net." + FAMILIES[family] + "." + SETTING + "=" + policy;
                final String effect = "flows of routes with several next hops are divided by " +
                    (byPorts ? "addresses, protocol and ports" : "addresses");
                log.accept(setting + (policy == BY_ADDRESSES || policy == BY_PORTS ? ": " :
                    " is a policy of the kernel only; in the router ") + effect);
            }
        }
    }
}
