package org.fibnuma.bench.traffic;

import org.fibnuma.binding.bpf.BpfArithmetic;
import org.fibnuma.binding.bpf.BpfAssembler;
import org.fibnuma.binding.bpf.BpfCondition;
import org.fibnuma.binding.bpf.BpfLink;
import org.fibnuma.binding.bpf.BpfProgram;
import org.fibnuma.binding.bpf.BpfSize;
import org.fibnuma.binding.bpf.XdpAction;
import org.fibnuma.binding.bpf.XdpContextLayout;
import org.fibnuma.binding.bpf.XdpMode;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import static org.fibnuma.binding.bpf.BpfRegister.R0;
import static org.fibnuma.binding.bpf.BpfRegister.R1;
import static org.fibnuma.binding.bpf.BpfRegister.R2;
import static org.fibnuma.binding.bpf.BpfRegister.R3;
import static org.fibnuma.binding.bpf.BpfRegister.R4;

/**
 * The cheapest end of traffic: an XDP program drops, as soon as the device has counted them, frames to single stations
 * other than the device itself. The rest goes to the kernel, so that the host still answers.
 */
public final class TrafficSink implements AutoCloseable
{
    private static final String PASS = "pass";
    private static final String DROP = "drop";
    private static final int GROUP_BIT = 1;

    private final BpfLink link;

    private TrafficSink(final BpfLink link)
    {
        this.link = link;
    }

    /**
     * Attaches the program.
     *
     * @param namespace  of the device, as for {@link NetworkNamespace#enter}.
     * @param device     its name there.
     * @param macAddress its own, as in {@link org.fibnuma.core.wire.MacAddress}.
     * @return the attachment, to be closed.
     * @throws SystemCallException where the kernel refuses.
     */
    public static TrafficSink attach(final String namespace, final String device, final long macAddress)
    {
        return NetworkNamespace.call(namespace, () ->
        {
            try (BpfProgram program = BpfProgram.loadXdp(code(macAddress), "fibnuma_sink"))
            {
                return new TrafficSink(
                    BpfLink.attachXdp(program, LibC.get().if_nametoindex(device), XdpMode.NATIVE));
            }
        });
    }

    private static byte[] code(final long macAddress)
    {
        final ByteBuffer mac = ByteBuffer.allocate(Long.BYTES).putInt((int)(macAddress >>> Short.SIZE))
            .putShort((short)macAddress).order(ByteOrder.nativeOrder());
        return new BpfAssembler()
            .load(BpfSize.WORD, R2, R1, XdpContextLayout.DATA_OFFSET)
            .load(BpfSize.WORD, R3, R1, XdpContextLayout.DATA_END_OFFSET)
            .mov(R4, R2)
            .alu(BpfArithmetic.ADD, R4, EthernetHeaderFlyweight.LENGTH)
            .jumpIf(BpfCondition.ABOVE, R4, R3, PASS)
            .load(BpfSize.BYTE, R4, R2, EthernetHeaderFlyweight.DESTINATION_OFFSET)
            .jumpIf(BpfCondition.ANY_BIT, R4, GROUP_BIT, PASS)
            .load(BpfSize.HALF, R4, R2, EthernetHeaderFlyweight.DESTINATION_OFFSET + Integer.BYTES)
            .jumpIf(BpfCondition.NOT_EQUAL, R4, mac.getShort(Integer.BYTES) & 0xFFFF, DROP)
            .load(BpfSize.WORD, R4, R2, EthernetHeaderFlyweight.DESTINATION_OFFSET)
            .alu32(BpfArithmetic.MOV, R3, mac.getInt(0))
            .jumpIf(BpfCondition.EQUAL, R4, R3, PASS)
            .label(DROP)
            .mov(R0, XdpAction.DROP)
            .exit()
            .label(PASS)
            .mov(R0, XdpAction.PASS)
            .exit()
            .assemble();
    }

    /** Detaches the program. */
    @Override
    public void close()
    {
        link.close();
    }
}
