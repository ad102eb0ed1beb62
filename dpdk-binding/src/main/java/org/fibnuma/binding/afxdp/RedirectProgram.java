package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.bpf.BpfAssembler;
import org.fibnuma.binding.bpf.BpfHelper;
import org.fibnuma.binding.bpf.BpfMap;
import org.fibnuma.binding.bpf.BpfMapType;
import org.fibnuma.binding.bpf.XdpAction;

import static org.fibnuma.binding.bpf.BpfRegister.R0;
import static org.fibnuma.binding.bpf.BpfRegister.R1;
import static org.fibnuma.binding.bpf.BpfRegister.R2;
import static org.fibnuma.binding.bpf.BpfRegister.R3;

/**
 * The transmitting part of a port's XDP program. It fills a blank frame of a live run with the next record of a
 * transmit queue and redirects it to the interface. The kernel makes no socket buffer, and the interface and its peer
 * handle a burst at once.
 */
final class RedirectProgram implements AutoCloseable
{
    private static final String DROP = "redirect-drop";

    private final BpfMap interfaces;
    private final BurstProgram bursts;

    /**
     * Creates the maps for a number of transmit queues of an interface, by its index in the calling thread's network
     * namespace.
     */
    RedirectProgram(final int ifindex, final int queueCount)
    {
        this.interfaces = BpfMap.create(BpfMapType.DEVMAP, Integer.BYTES, Integer.BYTES, 1, 0, "fibnuma_egress");
        try
        {
            interfaces.put(BpfMap.bytes(0), BpfMap.bytes(ifindex));
            this.bursts = new BurstProgram(queueCount, "fibnuma_records");
        }
        catch (final RuntimeException ex)
        {
            interfaces.close();
            throw ex;
        }
    }

    /** Returns the address of the state and records of a queue, with the layout {@link BurstLayout}. */
    long address(final int queue)
    {
        return bursts.address(queue);
    }

    /** Appends the instructions, which end the program; the context is in R6. */
    void appendTo(final BpfAssembler assembler)
    {
        bursts.appendTo(assembler, DROP);
        assembler
            .movMap(R1, interfaces)
            .mov(R2, 0)
            .mov(R3, 0)
            .call(BpfHelper.REDIRECT_MAP)
            .exit()
            .label(DROP)
            .mov(R0, XdpAction.DROP)
            .exit();
    }

    @Override
    public void close()
    {
        bursts.close();
        interfaces.close();
    }
}
