package org.fibnuma.bench.veth;

import org.fibnuma.bench.lab.Contestant;

/** Fibnuma's router as a user runs it, with one worker on the forwarder's core. */
public final class FibnumaContestant implements Contestant<VethBed>
{
    /** Creates the contestant. */
    public FibnumaContestant()
    {
    }

    @Override
    public String name()
    {
        return "fibnuma";
    }

    @Override
    public Running start(final VethBed bed)
    {
        return Running.of(name(), bed.hosts().startRouter(
            "bench-veth-" + ProcessHandle.current().pid(), "idle = \"busy\"", "cores = [" + bed.forwarderCore() + "]"),
            null);
    }
}
