package org.fibnuma.bench.flows;

import org.fibnuma.bench.lab.Contestant;
import org.fibnuma.bench.lab.RoutedHosts;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.UserException;

import java.util.List;

/** What forwards the packets of the connections of a {@link FlowsRig}. */
enum FlowsContestant
{
    /** The router on a host with a filter and masquerading: every packet belongs to a flow. */
    FLOWS("fibnuma, flows", true, true),
    /** The router on a host without filters. */
    PLAIN("fibnuma, no filter", true, false),
    /** The kernel alone with the filter and masquerading, on the forwarder's core by receive packet steering. */
    KERNEL("kernel, filter", false, true),
    /** As {@link #KERNEL}, with the connections in a flowtable of the kernel. */
    FLOWTABLE("kernel, flowtable", false, true);

    private static final String STEERING = "/sys/class/net/" + RoutedHosts.LEFT_DEVICE + "/queues/rx-0/rps_cpus";

    /** Part of the table that stays free: a few connections find no place in one that is almost full. */
    private static final int ROOM = 8;
    /** The entry of a stream of UDP is refreshed 30 s after it was made, and left to the kernel after 60 s. */
    private static final int REFRESH_SECONDS = 20;
    private static final int LEAST_REFRESHES = 20_000;

    private final String label;
    private final boolean isRouter;
    private final boolean isFiltered;

    FlowsContestant(final String label, final boolean isRouter, final boolean isFiltered)
    {
        this.label = label;
        this.isRouter = isRouter;
        this.isFiltered = isFiltered;
    }

    /** Returns the name in results. */
    String label()
    {
        return label;
    }

    /**
     * Sets the filter of the rig.
     *
     * @return why the contestant cannot run on this machine, in one line; null if nothing is missing.
     */
    String filter(final FlowsRig rig)
    {
        rig.hosts().filter(isFiltered);
        return isOffloaded() ? rig.hosts().offload() : null;
    }

    /**
     * Starts to forward; the caller closes the result.
     *
     * @throws UserException if the contestant cannot run.
     */
    Contestant.Running start(final FlowsRig rig)
    {
        final String missing = filter(rig);
        if (missing != null)
        {
            throw new UserException(missing);
        }
        if (isRouter)
        {
            final RouterProcess router = rig.hosts().startRouter(routerName(),
                "cores = [" + rig.forwarderCore() + "]", "max-flows = " + (rig.flows() + rig.flows() / ROOM),
                "flow-refreshes-per-second = " + Math.max(LEAST_REFRESHES, rig.flows() / REFRESH_SECONDS));
            return Contestant.Running.of(label, router, null);
        }
        rig.hosts().kernelForwarding(true);
        steer(rig, 1L << rig.forwarderCore());
        return new Contestant.Running(label, 0, () -> true, List::of, null, () ->
        {
            steer(rig, 0);
            rig.hosts().kernelForwarding(false);
        });
    }

    /** Returns the name of the contestant's router. */
    String routerName()
    {
        return "bench-flows-" + ProcessHandle.current().pid();
    }

    /** Returns whether the packets must belong to flows of the router. */
    boolean hasFlows()
    {
        return isRouter && isFiltered;
    }

    /** Returns whether the kernel tracks the connections. */
    boolean isTracked()
    {
        return isFiltered;
    }

    /** Returns whether the connections must be in a flowtable of the kernel. */
    boolean isOffloaded()
    {
        return this == FLOWTABLE;
    }

    private static void steer(final FlowsRig rig, final long coreMask)
    {
        rig.hosts().router().run("sh", "-c", "echo " + Long.toHexString(coreMask) + " >" + STEERING);
    }
}
