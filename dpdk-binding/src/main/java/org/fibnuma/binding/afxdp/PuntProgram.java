package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.bpf.BpfArithmetic;
import org.fibnuma.binding.bpf.BpfAssembler;
import org.fibnuma.binding.bpf.BpfCondition;
import org.fibnuma.binding.bpf.BpfHelper;
import org.fibnuma.binding.bpf.BpfMap;
import org.fibnuma.binding.bpf.BpfSize;
import org.fibnuma.binding.bpf.XdpAction;
import org.fibnuma.binding.bpf.XdpContextLayout;

import java.util.concurrent.ThreadLocalRandom;

import static org.fibnuma.binding.bpf.BpfRegister.R0;
import static org.fibnuma.binding.bpf.BpfRegister.R1;
import static org.fibnuma.binding.bpf.BpfRegister.R2;
import static org.fibnuma.binding.bpf.BpfRegister.R3;
import static org.fibnuma.binding.bpf.BpfRegister.R4;
import static org.fibnuma.binding.bpf.BpfRegister.R5;
import static org.fibnuma.binding.bpf.BpfRegister.R6;

/**
 * The part of a port's XDP program for punted frames. It fills a blank frame of a live run with the next record of a
 * {@link XdpKernelQueue} and passes it to the kernel. The ingress interface of the run is the port's, so the kernel
 * receives the frame on that interface.
 * <p>
 * Received frames have the same ingress interface. Only a blank frame has metadata, a random number that is removed
 * before the frame is passed. Drivers put no metadata in front of a received frame.
 */
final class PuntProgram implements AutoCloseable
{
    private static final String PUNT = "punt";
    private static final String RECEIVED = "received";
    private static final String DROP = "punt-drop";

    private final int mark = ThreadLocalRandom.current().nextInt();
    private final BurstProgram bursts;

    /** Creates the memory of a number of queues. */
    PuntProgram(final int queueCount)
    {
        this.bursts = new BurstProgram(queueCount, "fibnuma_punts");
    }

    /** Returns the address of the state and records of a queue, with the layout {@link BurstLayout}. */
    long address(final int queue)
    {
        return bursts.address(queue);
    }

    /** Returns the metadata of the blank frames of a run. */
    byte[] metadata()
    {
        return BpfMap.bytes(mark);
    }

    /** Appends the instructions that distinguish blank and received frames; the context is in R1, unchanged. */
    void appendRecognition(final BpfAssembler assembler)
    {
        assembler
            .load(BpfSize.WORD, R2, R1, XdpContextLayout.DATA_META_OFFSET)
            .load(BpfSize.WORD, R3, R1, XdpContextLayout.DATA_OFFSET)
            .mov(R4, R2)
            .alu(BpfArithmetic.ADD, R4, Integer.BYTES)
            .jumpIf(BpfCondition.ABOVE, R4, R3, RECEIVED)
            .load(BpfSize.WORD, R4, R2, 0)
            .alu32(BpfArithmetic.MOV, R5, mark)
            .jumpIf(BpfCondition.EQUAL, R4, R5, PUNT)
            .label(RECEIVED);
    }

    /** Appends the instructions for blank frames, which end the program; the context is in R6. */
    void appendTo(final BpfAssembler assembler)
    {
        bursts.appendTo(assembler.label(PUNT), DROP);
        assembler
            .mov(R1, R6)
            .mov(R2, Integer.BYTES)
            .call(BpfHelper.XDP_ADJUST_META)
            .jumpIf(BpfCondition.NOT_EQUAL, R0, 0, DROP)
            .mov(R0, XdpAction.PASS)
            .exit()
            .label(DROP)
            .mov(R0, XdpAction.DROP)
            .exit();
    }

    @Override
    public void close()
    {
        bursts.close();
    }
}
