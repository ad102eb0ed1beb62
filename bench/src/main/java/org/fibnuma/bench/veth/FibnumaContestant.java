package org.fibnuma.bench.veth;

import org.fibnuma.bench.lab.RouterProcess;

import java.time.Duration;

/** Fibnuma's router as a user runs it, with one worker on the forwarder's core. */
final class FibnumaContestant implements Contestant
{
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Override
    public String name()
    {
        return "fibnuma";
    }

    @Override
    public String missing()
    {
        return null;
    }

    @Override
    public Running start(final VethRig rig)
    {
        // The router leaves frames to the kernel if forwarding is off on the interface that received them.
        rig.kernelForwarding(true);
        final RouterProcess router = RouterProcess.start(rig.router(), String.join("\n",
            "[router]",
            "name = \"bench-veth-" + ProcessHandle.current().pid() + "\"",
            "idle = \"busy\"",
            "cores = [" + rig.forwarderCore() + "]",
            "[[port]]",
            "name = \"left\"",
            "device = \"xdp:" + VethRig.INGRESS + "\"",
            "[[port]]",
            "name = \"right\"",
            "device = \"xdp:" + VethRig.EGRESS + "\"",
            ""), PATIENCE);
        return new ProgramRunning(name(), router::isAlive, router::errors, router::close);
    }
}
