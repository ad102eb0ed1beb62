package org.fibnuma.bench.veth;

import org.fibnuma.bench.lab.Contestant;
import org.fibnuma.bench.lab.RoutedHosts;

import java.util.List;

/**
 * The kernel's own forwarding without an XDP program. It runs on the generator's core, where the frames arrive, or on
 * the forwarder's core by receive packet steering, as the other contestants do.
 *
 * @param ownCore whether it runs on the forwarder's core.
 */
public record KernelContestant(boolean ownCore) implements Contestant<VethBed>
{
    @Override
    public String name()
    {
        return ownCore ? "kernel, own core" : "kernel, generator's core";
    }

    @Override
    public Running start(final VethBed bed)
    {
        bed.hosts().kernelForwarding(true);
        steer(bed, ownCore ? 1L << bed.forwarderCore() : 0);
        return new Running(name(), 0, () -> true, List::of, null, () ->
        {
            steer(bed, 0);
            bed.hosts().kernelForwarding(false);
        });
    }

    private static void steer(final VethBed bed, final long coreMask)
    {
        for (final RoutedHosts.Link link : bed.hosts().links(bed.hosts().left()))
        {
            bed.hosts().router().run("sh", "-c", "echo " + Long.toHexString(coreMask) + " >/sys/class/net/" +
                link.routerDevice() + "/queues/rx-0/rps_cpus");
        }
    }
}
