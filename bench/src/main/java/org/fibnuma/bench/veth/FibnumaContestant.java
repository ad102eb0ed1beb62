package org.fibnuma.bench.veth;

import org.fibnuma.bench.lab.Contestant;

/** Fibnuma's router as a user runs it, with one worker on the forwarder's core. */
final class FibnumaContestant implements Contestant<VethRig>
{
    @Override
    public String name()
    {
        return "fibnuma";
    }

    @Override
    public Running start(final VethRig rig)
    {
        return Running.of(name(), rig.hosts().startRouter(
            "bench-veth-" + ProcessHandle.current().pid(), "idle = \"busy\"", "cores = [" + rig.forwarderCore() + "]"),
            null);
    }
}
