package org.fibnuma.bench.veth;

/**
 * The kernel's own forwarding, without any XDP program: where the generator's frames arrive, on the generator's core,
 * or steered to the forwarder's core (receive packet steering), as the others work there too.
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

    /** The kernel does not end by itself. */
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
