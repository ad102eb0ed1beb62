package org.fibnuma.bench.veth;

/**
 * The kernel's own forwarding without an XDP program. It runs on the generator's core, where the frames arrive, or on
 * the forwarder's core by receive packet steering, as the other contestants do.
 */
final class KernelContestant implements Contestant
{
    private static final String STEERING = "/sys/class/net/" + VethRig.INGRESS + "/queues/rx-0/rps_cpus";

    private final boolean ownCore;

    KernelContestant(final boolean ownCore)
    {
        this.ownCore = ownCore;
    }

    @Override
    public String name()
    {
        return ownCore ? "kernel, own core" : "kernel, generator's core";
    }

    @Override
    public String missing()
    {
        return null;
    }

    @Override
    public Running start(final VethRig rig)
    {
        rig.kernelForwarding(true);
        steer(rig, ownCore ? 1L << rig.forwarderCore() : 0);
        return new KernelRunning(rig);
    }

    private static void steer(final VethRig rig, final long coreMask)
    {
        rig.router().run("sh", "-c", "echo " + Long.toHexString(coreMask) + " >" + STEERING);
    }

    /** The kernel's forwarding, which does not end by itself. */
    private record KernelRunning(VethRig rig) implements Running
    {
        @Override
        public void verify()
        {
        }

        @Override
        public void close()
        {
            steer(rig, 0);
            rig.kernelForwarding(false);
        }
    }
}
