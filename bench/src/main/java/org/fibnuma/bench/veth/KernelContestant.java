package org.fibnuma.bench.veth;

import org.fibnuma.bench.lab.Host;
import org.fibnuma.binding.bpf.BpfAssembler;
import org.fibnuma.binding.bpf.BpfLink;
import org.fibnuma.binding.bpf.BpfProgram;
import org.fibnuma.binding.bpf.BpfRegister;
import org.fibnuma.binding.bpf.XdpAction;
import org.fibnuma.binding.bpf.XdpMode;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.NetworkNamespace;

/**
 * The kernel's own forwarding. The ingress device has an XDP program that passes everything: without one a veth takes
 * no frames from the generator. Its polling is a kernel thread of its own, on the forwarder's core as for the others,
 * or is left to where the generator's frames arrive, the generator's core.
 */
final class KernelContestant implements Contestant
{
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
        final BpfLink passing = NetworkNamespace.call(rig.router().namespaceFile(), KernelContestant::passEverything);
        rig.kernelForwarding(true);
        pollInThread(rig.router(), ownCore, rig.forwarderCore());
        return new KernelRunning(rig, passing);
    }

    private static BpfLink passEverything()
    {
        try (BpfProgram program = BpfProgram.loadXdp(
            new BpfAssembler().mov(BpfRegister.R0, XdpAction.PASS).exit().assemble(), "fibnuma_pass"))
        {
            return BpfLink.attachXdp(program, LibC.get().if_nametoindex(VethRig.INGRESS), XdpMode.NATIVE);
        }
    }

    private static void pollInThread(final Host router, final boolean thread, final int core)
    {
        router.run("sh", "-c",
            "echo " + (thread ? 1 : 0) + " >/sys/class/net/" + VethRig.INGRESS + "/threaded");
        if (thread)
        {
            router.run("sh", "-c",
                "for task in /proc/[0-9]*; do case $(cat $task/comm 2>/dev/null) in napi/" + VethRig.INGRESS +
                "-*) taskset -pc " + core + " ${task#/proc/};; esac; done");
        }
    }

    /** The kernel does not end by itself. */
    private record KernelRunning(VethRig rig, BpfLink passing) implements Running
    {
        @Override
        public void verify()
        {
        }

        @Override
        public void close()
        {
            pollInThread(rig.router(), false, rig.forwarderCore());
            rig.kernelForwarding(false);
            passing.close();
        }
    }
}
