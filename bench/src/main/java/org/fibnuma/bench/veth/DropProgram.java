package org.fibnuma.bench.veth;

import org.fibnuma.bench.lab.Host;
import org.fibnuma.binding.bpf.BpfAssembler;
import org.fibnuma.binding.bpf.BpfLink;
import org.fibnuma.binding.bpf.BpfProgram;
import org.fibnuma.binding.bpf.BpfRegister;
import org.fibnuma.binding.bpf.XdpAction;
import org.fibnuma.binding.bpf.XdpMode;
import org.fibnuma.binding.libc.NetworkNamespace;


/** An XDP program on a host's interface that drops whatever arrives; the interface still counts it. */
final class DropProgram implements AutoCloseable
{
    private final BpfProgram program;
    private final BpfLink link;

    DropProgram(final Host host, final String device)
    {
        final int ifindex = Integer.parseInt(host.run("cat", "/sys/class/net/" + device + "/ifindex").trim());
        program = BpfProgram.loadXdp(
            new BpfAssembler().mov(BpfRegister.R0, XdpAction.DROP).exit().assemble(), "fibnuma_sink");
        try
        {
            link = NetworkNamespace.call(
                host.namespaceFile(), () -> BpfLink.attachXdp(program, ifindex, XdpMode.NATIVE));
        }
        catch (final RuntimeException ex)
        {
            program.close();
            throw ex;
        }
    }

    @Override
    public void close()
    {
        link.close();
        program.close();
    }
}
